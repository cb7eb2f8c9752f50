// The search view: it turns keys and addresses into calls. What it shows follows from the address.

import { get } from "../../js/api.js";
import { searchBox } from "../../js/header.js";
import { navigate, rememberAddress, setTitle } from "../../js/router.js";
import { isAborted, latestCall, searchLocally } from "./request.js";
import { searchScreen } from "./screen.js";
import { setSearchKeys } from "./shortcuts.js";
import { offeredSources } from "./sources.js";
import { LOCAL, UPSTREAMS, addressOf, isBlank, isChosen, isLocalOnly, readState, searchArguments } from "./state.js";
import { emptyPage } from "./teaching.js";
import { SLOW_MS, upstreamCalls } from "./upstreams.js";
import { explanationsOf, toggleWhy } from "./why.js";

/** @typedef {import("./screen.js").Shown} Shown */
/** @typedef {import("./upstreams.js").Asked} Asked */

/**
 * What was there when another view opened, for the way back.
 * @type {{address: string, shown: Shown, upstreams: [string, Asked][], selected: string | null, scroll: number} | null}
 */
let kept = null;
/** Which sources there were when this was last asked. @type {Record<string, string> | null} */
let knownSources = null;

/** @param {HTMLElement} main @param {import("../../js/router.js").Place} place @returns {import("../../js/router.js").Opened} */
export function open(main, place) {
  let state = readState(place.query);
  /** The address of the last step; what is typed takes its place until it becomes a step of its own. */
  let committed = addressOf(state);
  let isSubmitted = true;
  let isSelectedByArrows = false;
  const closing = new AbortController();
  const { signal } = closing;
  const local = latestCall();
  const upstreams = upstreamCalls(() => screen.showOutcomes());
  const screen = searchScreen(main, () => state, upstreams, {
    change: (next) => navigate(addressOf(next)),
    why: (hit, button) => void toggleWhy(hit, button, /** @type {Shown} */ (screen.shown).explanations),
    retry: (source) => (source ? upstreams.retry(source, state) : void search()),
    offered: () => offeredSources(knownSources),
    waiting: () => chosenUpstreams().filter((name) => !upstreams.of(name)),
  });
  const { selection } = screen;
  setSearchKeys(selection, { open: openSelected, clearBox, first: screen.first, moved: () => (isSelectedByArrows = true) });
  searchBox.addEventListener("input", typed, { signal });
  searchBox.addEventListener("search-submitted", submitted, { signal });
  const status = get("/api/v1/status", { signal });
  screen.offer(knownSources);
  restore();
  // Somebody may have typed before this view was there.
  if (searchBox.value.trim() === state.q) void search();
  else typed();
  void status.then(learnSources, () => {});
  // Where fingers type, a keyboard would cover the results.
  if (isBlank(state) || !matchMedia("(pointer: coarse)").matches) searchBox.focus();
  return { title: state.q, update, close };

  /** @param {import("../../js/router.js").Place} next */
  function update(next) {
    state = readState(next.query);
    committed = addressOf(state);
    isSubmitted = true;
    setTitle(state.q);
    void search();
  }

  function close() {
    const { shown } = screen;
    kept = shown && { address: addressOf(state), shown, upstreams: upstreams.entries(), selected: selection.id, scroll: scrollY };
    closing.abort();
    local.stop();
    upstreams.clear();
    screen.stop();
  }

  /** Show what was there before, at the same place. */
  function restore() {
    if (kept?.address !== committed) return;
    upstreams.take(state.q, kept.upstreams);
    screen.show(kept.shown);
    selection.choose(kept.selected);
    scrollTo(0, kept.scroll);
  }

  function typed() {
    const q = searchBox.value.trim();
    if (q === state.q) return;
    state = { ...state, q, page: 1 };
    isSubmitted = false;
    isSelectedByArrows = false;
    rememberAddress(addressOf(state));
    void search();
  }

  function clearBox() {
    searchBox.value = "";
    typed();
  }

  /** @param {Event} event */
  function submitted(event) {
    event.preventDefault();
    if (isSelectedByArrows && selection.current()) return openSelected();
    state = { ...state, q: searchBox.value.trim() };
    const address = addressOf(state);
    rememberAddress(committed);
    if (address !== committed) return navigate(address);
    isSubmitted = true;
    void search();
  }

  async function search() {
    const asked = state;
    const isTyping = !isSubmitted;
    if (isBlank(asked)) return teach();
    if (isSubmitted) askUpstreams();
    screen.showOutcomes();
    screen.showBusy(true);
    const sources = LOCAL.filter((name) => isChosen(name, asked));
    const body = { ...searchArguments(asked), sources };
    const timer = setTimeout(() => screen.showSlow(sources), SLOW_MS);
    try {
      const answer = await local.run(async (own) => (sources.length > 0 ? searchLocally(body, isTyping, own) : null));
      screen.show({ state: asked, answer, explanations: explanationsOf({ ...body, query: answer?.query ?? asked.q }, signal) });
      screen.showBusy(false);
    } catch (error) {
      if (isAborted(error)) return;
      screen.fail(error, () => void search());
      screen.showBusy(false);
    } finally {
      clearTimeout(timer);
    }
  }

  function askUpstreams() {
    const names = chosenUpstreams();
    if (names.length > 0 && state.page === 1) upstreams.ask(names, state);
  }

  /** The upstreams that this search is for. */
  function chosenUpstreams() {
    if (isLocalOnly(state) || !state.q) return [];
    return offeredSources(knownSources).filter((name) => UPSTREAMS.includes(name) && isChosen(name, state));
  }

  /** @param {{sources?: Record<string, string>}} answer */
  function learnSources({ sources }) {
    knownSources = sources ?? null;
    if (isSubmitted) askUpstreams();
    screen.offer(knownSources);
  }

  /** Teach, while there is nothing to search for. */
  async function teach() {
    local.stop();
    upstreams.clear();
    screen.clear();
    screen.showBusy(true);
    const [known, listed] = await Promise.allSettled([status, get("/api/v1/archives/documents", { query: { limit: 20 }, signal })]);
    if (!isBlank(state) || signal.aborted) return;
    const counts = known.status === "fulfilled" ? known.value.documents : null;
    screen.clear(emptyPage(counts, listed.status === "fulfilled" ? listed.value.documents : []));
    screen.showBusy(false);
  }

  function openSelected() {
    const link = selection.current()?.querySelector("h2 a");
    if (!(link instanceof HTMLElement)) return;
    searchBox.blur();
    link.click();
  }
}
