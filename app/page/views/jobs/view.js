// The jobs of the team: the newest ones as a list, and each one in full.

import { fill, h } from "../../js/dom.js";
import { setTitle } from "../../js/router.js";
import { jobList } from "./list.js";
import { oneJob } from "./one.js";

/** @typedef {import("../../js/router.js").Place} Place */

/** @param {HTMLElement} main @param {Place} place @returns {import("../../js/router.js").Opened} */
export function open(main, place) {
  const view = place.id ? oneJob(place.id, setTitle) : jobList(place.query);
  fill(main, h("div", { class: "page manage" }, view.element));
  return {
    title: place.id ? "Job" : "Jobs",
    update: (next) => !place.id && !next.id && view.update?.(next.query),
    close: view.close,
  };
}
