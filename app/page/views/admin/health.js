// Health: each part of the service, and what to do about one that does not answer.

import { fill, h } from "../../js/dom.js";
import { get } from "../../js/api.js";
import { number } from "../../js/format.js";
import { showFailure } from "../../js/failure.js";
import { simpleTable } from "../../js/loaded.js";

/** @type {Record<string, string>} */
const WHAT_TO_DO = {
  engine: "See whether the search engine runs and has room on its disk. Searches and writes wait for it.",
  disk: "Free space on the disk of the data folder, or let the service write there. Searches go on.",
  writes: "Free space on the disks. If a process holds a lock, see what it does. Searches go on.",
  redis: "Start Redis again. No job is lost: the queue is filled again from the records.",
  workers: "Start a worker: trawl worker. Files wait in their jobs until then; searches go on.",
};

export function health() {
  const element = h("section", { class: "stack" });
  void load();
  return element;

  async function load() {
    try {
      const [parts, status] = await Promise.all([readiness(), get("/api/v1/status")]);
      fill(
        element,
        h("h2", null, "Parts"),
        simpleTable("Parts of the service", ["Part", "State", "What to do"], Object.entries(parts).map(partRow)),
        status.outdated_indices?.length > 0 && outdated(status.outdated_indices),
        h("h2", null, "Sources"),
        simpleTable("Sources", ["Source", "State"], Object.entries(status.sources).map(([name, state]) => [name, String(state)])),
        status.jobs && h("p", { class: "meta" }, "Newest jobs: ", Object.entries(status.jobs).map(([state, count]) => `${number(Number(count))} ${state}`).join(", "), " · ", h("a", { href: "/jobs" }, "all jobs")),
      );
    } catch (error) {
      showFailure(element, error, () => void load());
    }
  }
}

/** The answer of /readyz, which is no failure when a part is down. @returns {Promise<Record<string, string>>} */
async function readiness() {
  const response = await fetch("/readyz");
  return (await response.json()).parts;
}

/** @param {[string, string]} part */
function partRow([name, state]) {
  const isWell = state === "ok";
  return [name, h("span", { class: isWell ? "good dot" : "bad dot" }, state), isWell ? "nothing" : (WHAT_TO_DO[name] ?? "See the service's log.")];
}

/** @param {string[]} indices */
function outdated(indices) {
  return h(
    "div",
    { class: "notice warning" },
    h("p", { class: "what" }, "An earlier version of the service built these indices"),
    h("p", null, "Re-index them: they go on serving meanwhile. ", indices.map((name, position) => [position ? ", " : "", h("a", { href: `/indices/${encodeURIComponent(name)}` }, name)]).flat()),
  );
}
