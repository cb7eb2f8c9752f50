// The calls of a search. A newer call of the same kind gives up the one before, so answers never arrive out of order.

import { Failed, post } from "../../js/api.js";

/**
 * @typedef {{text: string, page?: number | null, heading?: string | null, line?: number | null}} Passage
 * @typedef {{what: string, kind: string, score: number}} Part
 * @typedef {{source: string, id: string, title: string, url: string | null, snippet: string, index_name?: string,
 *   also_in?: {source: string, id: string, index_name?: string}[], sandbox?: boolean, fetch_id?: string | null, matched?: string,
 *   passages?: Passage[], fields?: Record<string, any>, explanation?: Part[]}} Hit
 * @typedef {{source: string, success: boolean, count: number, total: number | null, took_ms: number, error?: string,
 *   error_category?: string, fix?: {required_action: string, command?: string | null}}} Outcome
 * @typedef {{query: string, results: Hit[], sources: Outcome[], total: number, did_you_mean: string | null,
 *   facets: Record<string, {value: any, count: number}[]>, milliseconds: number, beginning?: string}} Answer
 */

export const FACETS = ["author", "tags", "language", "source"];
const LAST_WORD = /(?:^|\s)([\p{L}\p{N}]{2,})$/u;

/** Sources that know none of the facets: asking them again would fail again. @type {Set<string>} */
const withoutFacets = new Set();

/** Runs one call at a time. */
export function latestCall() {
  let controller = new AbortController();
  return {
    /** @template T @param {(signal: AbortSignal) => Promise<T>} call @returns {Promise<T>} */
    async run(call) {
      controller.abort();
      const own = (controller = new AbortController());
      const result = await call(own.signal);
      own.signal.throwIfAborted();
      return result;
    },
    stop: () => controller.abort(),
  };
}

/** @param {unknown} error */
export const isAborted = (error) => error instanceof DOMException && error.name === "AbortError";

/** @param {Record<string, unknown>} body @param {AbortSignal} signal @returns {Promise<Answer>} */
export async function callSearch(body, signal) {
  const started = performance.now();
  const answer = await post("/api/v1/search", body, { signal });
  return { total: 0, facets: {}, did_you_mean: null, ...answer, milliseconds: performance.now() - started };
}

/**
 * Search the archive and indices. While a word is being typed, its beginning counts where nothing else is found.
 * @param {Record<string, unknown> & {sources: string[]}} body @param {boolean} isTyping @param {AbortSignal} signal
 */
export async function searchLocally(body, isTyping, signal) {
  const answer = await withFacets(body, signal);
  const beginning = LAST_WORD.exec(String(body.query))?.[1];
  if (!isTyping || !beginning || answer.results.some(({ matched }) => matched !== "fuzzy")) return answer;
  const wider = await withFacets({ ...body, query: `${body.query}*` }, signal);
  const milliseconds = answer.milliseconds + wider.milliseconds;
  return wider.results.length > 0 ? { ...wider, milliseconds, beginning } : { ...answer, milliseconds };
}

/** @param {Record<string, unknown> & {sources: string[]}} body @param {AbortSignal} signal */
async function withFacets(body, signal) {
  const sources = body.sources.join();
  if (withoutFacets.has(sources)) return callSearch(body, signal);
  try {
    return await callSearch({ ...body, facets: FACETS }, signal);
  } catch (error) {
    if (!(error instanceof Failed) || !/facet/i.test(error.message)) throw error;
    const answer = await callSearch(body, signal);
    withoutFacets.add(sources);
    return answer;
  }
}

/** An outcome that failed, as the error of a call. @param {Outcome} outcome */
export function failureOf({ error, error_category, fix }) {
  return new Failed(0, { error: error ?? "It gave no answer", error_category: error_category ?? "unavailable", fix });
}
