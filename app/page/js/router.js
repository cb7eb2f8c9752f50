// Shows the view that an address names. The address is the whole state, so that it can be copied, kept and gone back to.

import { clearKeys } from "./keys.js";
import { fill } from "./dom.js";
import { showFailure } from "./failure.js";

/** @typedef {{path: string, id: string, query: URLSearchParams}} Place */
/**
 * What a view gives back: `update` takes another address of the same view and returns false if it must be opened anew.
 * @typedef {{title: string, update?: (place: Place) => boolean | void, close?: () => void}} Opened
 */
/** @typedef {{open: (main: HTMLElement, place: Place) => Opened | Promise<Opened>}} ViewModule */

/** @type {[RegExp, () => Promise<ViewModule>][]} */
const ROUTES = [
  [/^\/$/, () => import("../views/search/view.js")],
  [/^\/d\/([^/]+)$/, () => import("../views/document/view.js")],
  [/^\/graph\/([^/]+)$/, () => import("../views/graph/view.js")],
  [/^\/feed$/, () => import("../views/feed/view.js")],
  [/^\/indices(?:\/([^/]+))?$/, () => import("../views/indices/view.js")],
  [/^\/jobs(?:\/([^/]+))?$/, () => import("../views/jobs/view.js")],
  [/^\/connect$/, () => import("../views/connect/view.js")],
  [/^\/account$/, () => import("../views/account/view.js")],
  [/^\/admin$/, () => import("../views/admin/view.js")],
  [/^\/docs$/, () => import("../views/docs/view.js")],
  [/^\/auth\/login$/, () => import("../views/login/view.js")],
];

/** @type {{module: ViewModule, opened: Opened, path: string} | null} */
let current = null;
let newest = 0;
/** @type {((place: Place) => void)[]} */
const listeners = [];

/** @param {(place: Place) => void} listener called after each change of the address */
export function onNavigation(listener) {
  listeners.push(listener);
}

/** @returns {Place} */
export function here() {
  return { path: location.pathname, id: "", query: new URLSearchParams(location.search) };
}

/**
 * Go to an address of this service.
 * @param {string} address @param {{replace?: boolean}} [options] `replace` leaves no step to go back to
 */
export function navigate(address, options = {}) {
  if (address === location.pathname + location.search) return;
  if (options.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  void show({ fromLink: !options.replace });
}

/** Change the address without showing anything: the view does that itself. @param {string} address */
export function rememberAddress(address) {
  if (address !== location.pathname + location.search) history.replaceState(null, "", address);
}

/** Start showing views, and take over the links of the page. */
export function startRouter() {
  addEventListener("popstate", () => void show({ fromLink: false }));
  document.addEventListener("click", followLink);
  return show({ fromLink: false });
}

/** @param {{fromLink: boolean}} how */
async function show({ fromLink }) {
  const turn = ++newest;
  const place = here();
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  const route = ROUTES.find(([pattern]) => pattern.test(place.path));
  for (const listener of listeners) listener(place);
  try {
    if (!route) throw new Error("no such page");
    place.id = decodeURIComponent(route[0].exec(place.path)?.[1] ?? "");
    const module = await route[1]();
    if (turn !== newest) return;
    if (current?.module === module && current.opened.update && current.opened.update(place) !== false) return;
    current?.opened.close?.();
    current = null;
    clearKeys();
    const opened = await module.open(main, place);
    if (turn !== newest) return opened.close?.();
    current = { module, opened, path: place.path };
    setTitle(opened.title);
    if (fromLink) arrive(main);
  } catch (error) {
    if (turn !== newest) return;
    fill(main);
    showFailure(main, error, () => void show({ fromLink: false }));
    setTitle("Something went wrong");
  }
}

/** @param {string} title */
export function setTitle(title) {
  document.title = title ? `${title} · Trawl` : "Trawl";
}

/** Begin at the top, and let screen readers begin there, except where a view keeps the search box ready. @param {HTMLElement} main */
function arrive(main) {
  scrollTo(0, 0);
  if (!main.contains(document.activeElement) && !document.activeElement?.matches("input[type=search]")) main.focus({ preventScroll: true });
}

/** @param {MouseEvent} event */
function followLink(event) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.hash && link.pathname === location.pathname) return;
  if (!ROUTES.some(([pattern]) => pattern.test(link.pathname))) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}
