// Asks upstreams, each in a call of its own: a slow or failed one never holds up the others.

import { Failed } from "../../js/api.js";
import { callSearch, failureOf, isAborted } from "./request.js";
import { searchArguments } from "./state.js";

/** @typedef {import("./request.js").Answer} Answer */
/** @typedef {{status: "asking" | "slow" | "answered" | "failed", answer?: Answer, error?: Failed, milliseconds: number}} Asked */

export const SLOW_MS = 1_000;

/** All that match there, or else what it returned. @param {Asked | undefined} asked */
export function totalOf(asked) {
  const outcome = asked?.answer?.sources[0];
  return outcome?.total ?? outcome?.count;
}

/** @param {Asked} asked */
export const isFinished = ({ status }) => status === "answered" || status === "failed";

/** @param {(name: string) => void} onChange called when a source becomes slow, answers or fails */
export function upstreamCalls(onChange) {
  let query = "";
  /** Answers in the order in which they came. @type {Map<string, Asked>} */
  let all = new Map();
  let controller = new AbortController();

  function clear() {
    controller.abort();
    controller = new AbortController();
    all = new Map();
    query = "";
  }

  /** @param {string} name @param {import("./state.js").SearchState} state */
  async function ask(name, state) {
    const { signal } = controller;
    const started = performance.now();
    change(name, { status: "asking", milliseconds: 0 });
    const timer = setTimeout(() => !signal.aborted && change(name, { status: "slow", milliseconds: 0 }), SLOW_MS);
    try {
      const answer = await callSearch({ ...searchArguments(state), sources: [name] }, signal);
      signal.throwIfAborted();
      const failed = answer.sources.find((outcome) => !outcome.success);
      const hasFailed = failed && answer.results.length === 0;
      settle(hasFailed ? { status: "failed", error: failureOf(failed) } : { status: "answered", answer });
    } catch (error) {
      if (!isAborted(error) && !signal.aborted) settle({ status: "failed", error: error instanceof Failed ? error : undefined });
    } finally {
      clearTimeout(timer);
    }

    /** @param {Omit<Asked, "milliseconds">} outcome */
    function settle(outcome) {
      all.delete(name);
      change(name, { ...outcome, milliseconds: performance.now() - started });
    }
  }

  /** @param {string} name @param {Asked} asked */
  function change(name, asked) {
    all.set(name, asked);
    onChange(name);
  }

  return {
    clear,
    /** @param {string} name */
    of: (name) => all.get(name),
    entries: () => [...all],
    isFor: (/** @type {string} */ q) => query === q,
    /**
     * Ask those that have not answered and are not being asked.
     * @param {string[]} names @param {import("./state.js").SearchState} state
     */
    ask(names, state) {
      if (query !== state.q) clear();
      query = state.q;
      for (const name of names) if ((all.get(name)?.status ?? "failed") === "failed") void ask(name, state);
    },
    /** @param {string} name @param {import("./state.js").SearchState} state */
    retry: (name, state) => void ask(name, state),
    /** Take answers that were kept. @param {string} q @param {[string, Asked][]} entries */
    take(q, entries) {
      clear();
      query = q;
      all = new Map(entries.filter(([, { status }]) => status === "answered"));
    },
  };
}
