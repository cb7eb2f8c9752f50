// The header of all views: the search box, the ways to other views, and who is signed in.

import { addGlobalKeys } from "./keys.js";
import { button, fill, h } from "./dom.js";
import { here, navigate, onNavigation } from "./router.js";
import { may, session, signInAddress } from "./session.js";

/** @type {[string, string, string | null][]} */
const LINKS = [
  ["/", "Search", "search"],
  ["/feed", "Feed", "search"],
  ["/indices", "Indices", "search"],
  ["/jobs", "Jobs", "search"],
  ["/connect", "Connect", null],
  ["/admin", "Team", "admin"],
];

export const searchBox = h("input", {
  type: "search",
  name: "q",
  "aria-label": "Search everything",
  placeholder: "Search everything",
  autocomplete: "off",
  autocapitalize: "off",
  spellcheck: "false",
  enterkeyhint: "search",
});

export function showHeader() {
  const header = /** @type {HTMLElement} */ (document.getElementById("header"));
  const links = LINKS.filter(([, , scope]) => scope === null || may(scope));
  const nav = h("nav", { "aria-label": "Views", id: "views" }, links.map(([path, text]) => h("a", { href: path }, text)), account());
  const toggle = button("Menu", () => setMenu(nav.dataset.open === undefined), { class: "menu", "aria-expanded": "false", "aria-controls": "views" });
  const form = h("form", { role: "search", action: "/", class: "search-form", onsubmit: submit }, searchBox, h("kbd", { "aria-hidden": "true" }, "/"));
  fill(header, h("a", { href: "/", class: "brand" }, "Trawl"), may("search") && form, session.signed_in && toggle, session.signed_in && nav);
  onNavigation((place) => {
    setMenu(false);
    for (const link of nav.querySelectorAll("a")) {
      const isHere = link.pathname === "/" ? place.path === "/" : place.path.startsWith(link.pathname);
      if (isHere) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (document.activeElement !== searchBox || place.path === "/") searchBox.value = place.query.get("q") ?? "";
  });
  addGlobalKeys([{ key: "/", what: "Go to the search box", run: () => searchBox.select() }]);

  /** @param {boolean} isOpen */
  function setMenu(isOpen) {
    toggle.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) nav.dataset.open = "";
    else delete nav.dataset.open;
  }
}

/** A link to one's account; without a sign-in there is only the team to show. */
function account() {
  if (!session.signed_in) return h("a", { href: signInAddress() }, "Sign in");
  return h("a", { href: "/account" }, `${session.team ?? "no team"} · ${session.subject ?? ""}`);
}

/** @param {SubmitEvent} event */
function submit(event) {
  event.preventDefault();
  // The search view takes the box over and listens for this itself.
  const taken = !searchBox.dispatchEvent(new CustomEvent("search-submitted", { cancelable: true }));
  if (!taken || here().path !== "/") navigate(`/?q=${encodeURIComponent(searchBox.value.trim())}`);
}
