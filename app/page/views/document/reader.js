// Reads on in a document, and goes to places and matches in it.

import { announce } from "../../js/announce.js";
import { button, fill, h } from "../../js/dom.js";
import { failureNotice } from "../../js/failure.js";
import { number } from "../../js/format.js";
import { Paper } from "./paper.js";

/** @typedef {import("./reading.js").Reading} Reading */

const AHEAD = "0px 0px 3000px";
/** Below the header and the field that finds. */
const HIDDEN_HEIGHT = 170;
const SPARE_HEIGHT = 60;
/** In longer texts the service looks for matches only so far. */
const SEARCHED = 1_000_000;

export class Reader {
  /** The match that was gone to last; half a number between two matches, -1 before all of them. */
  current = -1;
  element = h("div", { class: "text" });
  #more = h("div", { class: "row more" });
  #title;
  #signal;
  #changed;
  #nearing = new IntersectionObserver(([entry]) => entry.isIntersecting && void this.readOn(), { rootMargin: AHEAD });
  /** @type {Promise<void> | null} */
  #readingOn = null;

  /**
   * @param {Reading} reading @param {HTMLElement} title the heading of the view @param {AbortSignal} signal
   * @param {() => void} changed called when another match is current or there is more text
   */
  constructor(reading, title, signal, changed) {
    this.#title = title;
    this.#signal = signal;
    this.#changed = changed;
    signal.addEventListener("abort", () => this.#nearing.disconnect());
    this.reading = reading;
    this.paper = new Paper(reading, title);
    this.#set();
  }

  /** Show another reading of the document. @param {Reading} reading */
  show(reading) {
    this.reading = reading;
    this.paper = new Paper(reading, this.#title);
    this.current = -1;
    this.#readingOn = null;
    this.#set();
  }

  /** Read the next part of the text. */
  readOn() {
    this.#readingOn ??= this.#readPart(this.reading);
    return this.#readingOn;
  }

  /** Go to the next match or the one before; after the last one comes the first. @param {1 | -1} by */
  async step(by) {
    const { reading } = this;
    const wanted = by > 0 ? Math.floor(this.current) + 1 : Math.ceil(this.current) - 1;
    await this.#readUntil(() => reading.matches.length > wanted);
    if (wanted >= 0) return this.goToMatch(wanted < reading.matches.length ? wanted : 0);
    if (reading.isWhole) return this.goToMatch(reading.matches.length - 1);
    return announce("This is the first match");
  }

  /** @param {number} match */
  async goToMatch(match) {
    const { paper } = this;
    await this.#readUntil(() => paper.markOf(match) !== undefined);
    const mark = paper.markOf(match);
    if (!mark || paper !== this.paper) return;
    this.current = match;
    paper.choose(match);
    this.#changed();
    reveal(mark, "center");
  }

  /** Go to a position in the text, or to the match there. @param {number} character */
  async goTo(character) {
    const { reading, paper } = this;
    await this.#readUntil(() => reading.offsets.characters > character);
    const unit = reading.offsets.unitOf(character);
    const match = reading.matchAfter(unit);
    if (reading.matches[match]?.[0] <= unit) return this.goToMatch(match);
    this.current = match - 0.5;
    paper.choose(this.current);
    this.#changed();
    const found = paper.blockAt(unit);
    if (found && found.block.start > 0) reveal(found.element, "start");
    return undefined;
  }

  /** @param {() => boolean} isReached */
  async #readUntil(isReached) {
    const { reading } = this;
    while (!isReached() && !reading.isWhole && reading === this.reading) {
      const before = reading.next;
      await this.readOn();
      if (reading.next === before) return;
    }
  }

  /** @param {Reading} reading */
  async #readPart(reading) {
    try {
      await reading.readOn(this.#signal);
      if (reading !== this.reading) return;
      this.paper.append();
      this.#showRest();
      this.#changed();
    } catch (error) {
      this.#nearing.disconnect();
      if (reading === this.reading) fill(this.#more, failureNotice(error, () => void this.readOn()));
    } finally {
      if (reading === this.reading) this.#readingOn = null;
    }
  }

  #set() {
    this.#title.replaceChildren(this.reading.about.title);
    this.paper.append();
    if (this.reading.text === "") this.paper.element.append(h("p", { class: "empty" }, "This document has no text."));
    const { query, about } = this.reading;
    const hint = `Marked in the first ${number(SEARCHED)} characters.`;
    const isCut = query !== "" && about.total_chars > SEARCHED;
    fill(this.element, isCut && h("p", { class: "hint" }, hint), this.paper.element, this.#more);
    this.#showRest();
  }

  #showRest() {
    const { reading } = this;
    this.#nearing.disconnect();
    this.#more.hidden = reading.isWhole;
    if (reading.isWhole) return;
    const share = `${number(reading.offsets.characters)} of ${number(reading.about.total_chars)} characters`;
    fill(this.#more, button("Read on", () => void this.readOn()), h("span", { class: "meta" }, share));
    this.#nearing.observe(this.#more);
  }
}

/** @param {Element} element @param {"center" | "start"} block */
function reveal(element, block) {
  const box = element.getBoundingClientRect();
  // What can be seen already stays where it is.
  if (block === "center" && scrollY + box.bottom < innerHeight - SPARE_HEIGHT) scrollTo(0, 0);
  else if (block === "start" || box.top < HIDDEN_HEIGHT || box.bottom > innerHeight - SPARE_HEIGHT) {
    element.scrollIntoView({ block });
    // Sections that come into sight may turn out higher than guessed.
    requestAnimationFrame(() => element.scrollIntoView({ block }));
  }
}
