// Sign in: by the company's account or by a token of Trawl.

import { fill, h } from "../../js/dom.js";
import { clearFailure, showFailure } from "../../js/failure.js";
import { session, signIn } from "../../js/session.js";

/** @typedef {import("../../js/router.js").Place} Place */

/** What the address says when a sign-in at the issuer came to nothing. @type {Record<string, string>} */
const PROBLEMS = {
  token: "The token is not valid: it is unknown, expired or revoked. Ask an administrator of your team for a new one.",
  busy: "Too many wrong tokens came from your address. Wait a minute and try again.",
  denied: "The sign-in was declined. Sign in again and allow it, or use a token.",
  expired: "The sign-in took too long, or it was begun in another window. Sign in again.",
  refused: "You are signed in there, but may not use this service. Ask its operator for access.",
  failed: "The place where you sign in refused this service. Its operator finds the reason in the log.",
  unavailable: "The place where you sign in does not answer. Try again later, or use a token.",
};

/** @param {HTMLElement} main @param {Place} place */
export function open(main, place) {
  const next = nextOf(place);
  if (session.signed_in) {
    location.replace(next);
    return { title: "Sign in" };
  }
  const token = h("input", { type: "password", name: "token", autocomplete: "current-password", required: true, "aria-describedby": "token-hint" });
  const submit = h("button", { type: "submit", class: session.can_sign_in_with_issuer ? "" : "primary" }, "Sign in with the token");
  const form = h(
    "form",
    { class: "stack tight", method: "post", action: `/auth/login?next=${encodeURIComponent(next)}`, onsubmit: send },
    h("label", null, "Token", token),
    h("p", { class: "hint", id: "token-hint" }, "It begins with trawl_. An administrator of your team can make one, and so can the operator: trawl token create."),
    h("div", null, submit),
  );
  const problem = place.query.get("problem");
  fill(
    main,
    h(
      "div",
      { class: "sign-in stack" },
      h("h1", null, "Sign in"),
      problem && h("div", { class: "notice bad", role: "alert" }, h("p", null, PROBLEMS[problem] ?? PROBLEMS.expired)),
      session.can_sign_in_with_issuer &&
        h("div", { class: "panel stack tight" },
          h("a", { class: "button primary", href: `/auth/issuer?next=${encodeURIComponent(next)}`, target: "_self" }, "Sign in with your account"),
          h("p", { class: "hint" }, "You go to the place where your organisation signs in, and come back here.")),
      h("div", { class: "panel" }, form),
    ),
  );
  if (!session.can_sign_in_with_issuer) token.focus();
  return { title: "Sign in" };

  /** @param {SubmitEvent} event */
  async function send(event) {
    event.preventDefault();
    clearFailure(form);
    submit.disabled = true;
    try {
      await signIn(token.value.trim());
      location.replace(next);
    } catch (error) {
      showFailure(form, error);
      token.select();
    } finally {
      submit.disabled = false;
    }
  }
}

/** Where to go afterwards: a path of this service alone. @param {Place} place */
function nextOf(place) {
  const wanted = new URL(place.query.get("next") ?? "/", location.origin);
  return wanted.origin === location.origin && !wanted.pathname.startsWith("/auth/") ? wanted.pathname + wanted.search : "/";
}
