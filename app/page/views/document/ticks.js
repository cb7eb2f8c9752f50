// Ticks along the right edge of the window: where the matches stand in the whole page.

import { h } from "../../js/dom.js";

/** @typedef {import("./paper.js").Paper} Paper @typedef {import("./reading.js").Reading} Reading */

const THICKNESS = 3;

/**
 * @param {() => {paper: Paper, reading: Reading, current: number}} state
 * @param {(match: number) => void} go
 */
export function createTicks(state, go) {
  const element = h("div", { class: "ticks", "aria-hidden": "true", onclick: goToNearest });
  /** @type {number[]} where each match stands, as a share of the page's height */
  let shares = [];
  let frame = 0;
  const observer = new ResizeObserver(refresh);
  addEventListener("resize", refresh);
  return { element, refresh, observe, close };

  /** @param {Element} paper */
  function observe(paper) {
    observer.disconnect();
    observer.observe(paper);
  }

  function refresh() {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  }

  function close() {
    cancelAnimationFrame(frame);
    observer.disconnect();
    removeEventListener("resize", refresh);
  }

  function draw() {
    const { current } = state();
    shares = measure(state());
    const height = element.clientHeight;
    /** @type {Map<number, boolean>} by their place in steps of a tick's thickness, so that there are never too many */
    const ticks = new Map();
    shares.forEach((share, match) => {
      const step = Math.floor((share * height) / THICKNESS);
      ticks.set(step, ticks.get(step) || match === current);
    });
    element.replaceChildren(
      ...[...ticks].map(([step, isCurrent]) => {
        const tick = h("i", { class: isCurrent ? "current" : null });
        tick.style.top = `${step * THICKNESS}px`;
        return tick;
      }),
    );
    element.hidden = ticks.size === 0;
  }

  /** @param {MouseEvent} event */
  function goToNearest(event) {
    const share = event.clientY / element.clientHeight;
    let nearest = 0;
    shares.forEach((each, match) => {
      if (Math.abs(each - share) < Math.abs(shares[nearest] - share)) nearest = match;
    });
    go(nearest);
  }
}

/** @param {{paper: Paper, reading: Reading}} state @returns {number[]} */
function measure({ paper, reading }) {
  const height = document.documentElement.scrollHeight;
  const isLong = paper.element.classList.contains("long");
  let section = -1;
  let box = new DOMRect();
  return reading.matches.flatMap(([start], match) => {
    const mark = paper.markOf(match);
    if (!mark) return [];
    if (!isLong || !paper.element.contains(mark)) return [(mark.getBoundingClientRect().top + scrollY) / height];
    while (section + 1 < paper.sections.length && paper.sections[section + 1].start <= start) {
      section += 1;
      box = paper.sections[section].element.getBoundingClientRect();
    }
    // Sections out of sight are not laid out, so the place within them is taken from the text.
    const { start: from, end: to } = paper.sections[section];
    return [(box.top + scrollY + (box.height * (start - from)) / (to - from)) / height];
  });
}
