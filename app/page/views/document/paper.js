// Sets the text like a page to read, with its matches marked. Texts of any length: what is out of sight costs no layout.

import { h } from "../../js/dom.js";
import { isAligned, reflowed } from "./lines.js";
import { cutAtMatches } from "./pieces.js";
import { firstNot } from "./sorted.js";
import { isTitle } from "./title.js";

/** @typedef {import("./blocks.js").Block} Block @typedef {import("./reading.js").Reading} Reading */
/** @typedef {{element: HTMLElement, start: number, end: number}} Section a run of blocks that is laid out together */

const SECTION_LENGTH = 6_000;
const LONG = 60_000;
const LINE_LENGTH = 70;
const LINE_HEIGHT = 27;

export class Paper {
  element = h("article", { class: "paper", "aria-label": "Text" });
  /** @type {Section[]} */
  sections = [];
  /** @type {{block: Block, element: HTMLElement}[]} */
  #blocks = [];
  /** @type {WeakMap<Node, Block>} */
  #blockOf = new WeakMap();
  /** @type {HTMLElement[]} the first piece of each match */
  #marks = [];
  #reading;
  #title;

  /** @param {Reading} reading @param {HTMLElement} title the heading of the view, which says the title for the text too */
  constructor(reading, title) {
    this.#reading = reading;
    this.#title = title;
    this.element.classList.toggle("long", reading.about.total_chars > LONG);
  }

  /** Set what has been read since the last time. */
  append() {
    /** @type {Section | null} */
    let section = null;
    let height = 0;
    for (const block of this.#reading.takeBlocks()) {
      if (!section || section.end - section.start > SECTION_LENGTH) {
        this.#expectHeight(section, height);
        section = { element: h("div", { class: "section" }), start: block.start, end: block.end };
        this.sections.push(section);
        this.element.append(section.element);
        height = 0;
      }
      section.end = block.end;
      section.element.append(this.#set(block));
      height += Math.ceil((block.end - block.start) / LINE_LENGTH) * LINE_HEIGHT + (block.isTight ? 0 : 14);
    }
    this.#expectHeight(section, height);
  }

  /** @param {number} match */
  markOf(match) {
    return this.#marks[match];
  }

  /** @param {number} unit @returns {{block: Block, element: HTMLElement} | undefined} what holds this position, or ends before it */
  blockAt(unit) {
    const after = firstNot(this.#blocks.length, (position) => this.#blocks[position].block.start <= unit);
    return this.#blocks[Math.max(after - 1, 0)];
  }

  /** Where a point of the page stands in the text, in units. @param {Node} node @param {number} offset as ranges have them */
  positionOf(node, offset) {
    const element = (node instanceof Element ? node : node.parentElement)?.closest("[data-block]");
    const block = element && this.#blockOf.get(element);
    if (!element || !block) return null;
    const range = document.createRange();
    range.setStart(element, 0);
    range.setEnd(node, offset);
    return block.start + range.toString().length;
  }

  /** Mark one match as the current one. @param {number} match */
  choose(match) {
    for (const mark of document.querySelectorAll("mark.current")) mark.classList.remove("current");
    for (const mark of document.querySelectorAll(`mark[data-match="${match}"]`)) mark.classList.add("current");
  }

  /** @param {Block} block @returns {HTMLElement} */
  #set(block) {
    const text = this.#reading.text.slice(block.start, block.end);
    const isAlignedText = !block.isHeading && isAligned(text);
    const shown = isAlignedText ? text : reflowed(text);
    const pieces = cutAtMatches(block.start, block.end, this.#reading.matches).map(({ start, end, match }) => {
      const piece = shown.slice(start - block.start, end - block.start);
      return match === null ? piece : this.#mark(piece, match);
    });
    const saysTitle = this.#blocks.length === 0 && isTitle(text, this.#reading.about.title);
    const element = saysTitle
      ? this.#title
      : h(block.isHeading ? "h2" : "p", { dir: "auto", class: block.isTight ? "tight" : isAlignedText ? "aligned" : null });
    element.replaceChildren(...pieces);
    element.dataset.block = String(block.start);
    this.#blocks.push({ block, element });
    this.#blockOf.set(element, block);
    const holder = saysTitle ? h("div") : element;
    if (block.page !== null) holder.dataset.page = String(block.page);
    return holder;
  }

  /** @param {string} text @param {number} match */
  #mark(text, match) {
    const mark = h("mark", { "data-match": match }, text);
    this.#marks[match] ??= mark;
    return mark;
  }

  /** How high a section will be is guessed until it comes into sight. @param {Section | null} section @param {number} height */
  #expectHeight(section, height) {
    section?.element.style.setProperty("contain-intrinsic-size", `auto ${height}px`);
  }
}
