// Searches that found nothing: how many, and their words where the team chose to keep them.

import { h } from "../../js/dom.js";
import { ago, day, number } from "../../js/format.js";
import { loaded, simpleTable } from "../../js/loaded.js";

export function searches() {
  return loaded("/api/v1/searches", (result) => [
    h("h2", null, "Searches of the last 30 days"),
    result.days.some((/** @type {any} */ each) => each.searches > 0)
      ? simpleTable("Searches by day", ["Day", "Searches#", "Without results#"], result.days.map(dayRow))
      : h("p", { class: "empty" }, "Nobody has searched yet."),
    h("h2", null, "Found nothing"),
    result.words_kept ? words(result.without_results) : whyNoWords(),
  ], { days: 30 });
}

/** @param {any} each */
function dayRow(each) {
  const share = each.searches ? ` (${Math.round((100 * each.without_results) / each.searches)} %)` : "";
  return [day(each.date), number(each.searches), number(each.without_results) + share];
}

/** @param {any[]} entries */
function words(entries) {
  if (entries.length === 0) return h("p", { class: "empty" }, "Every search found something.");
  return simpleTable("Words that found nothing", ["Words", "Searches#", "Last"], entries.map((each) => [
    h("a", { href: `/?q=${encodeURIComponent(each.query)}`, dir: "auto" }, each.query),
    number(each.searches),
    ago(each.last_at),
  ]));
}

function whyNoWords() {
  return h("p", { class: "hint" }, "The words of searches are not kept. The operator keeps them for a team that wants that: ", h("code", null, "[teams.NAME.searches] keep_words = true"), " in the file that TRAWL_CONNECTIONS names.");
}
