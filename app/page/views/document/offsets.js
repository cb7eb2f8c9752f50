// Converts positions in a text: the service counts characters (code points), a browser counts UTF-16 units.

import { firstNot } from "./sorted.js";

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The positions of a text that grows at its end. */
export class Offsets {
  /** @type {number[]} where the characters stand that take two units: units, ascending */
  #pairs = [];
  #units = 0;

  /** @param {string} text that follows what was appended before */
  append(text) {
    for (const found of text.matchAll(PAIR)) this.#pairs.push(this.#units + found.index);
    this.#units += text.length;
  }

  /** How many characters there are. */
  get characters() {
    return this.#units - this.#pairs.length;
  }

  /** @param {number} character @returns {number} the unit at which this character begins */
  unitOf(character) {
    return character + firstNot(this.#pairs.length, (position) => this.#pairs[position] - position < character);
  }

  /** @param {number} unit @returns {number} the character to which this unit belongs */
  characterOf(unit) {
    return unit - firstNot(this.#pairs.length, (position) => this.#pairs[position] < unit);
  }
}
