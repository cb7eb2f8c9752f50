// Who looks at the page: asked once at the start, and again after signing in or out.

import { carry, get, post } from "./api.js";

/**
 * @typedef {{signed_in: boolean, needs_sign_in: boolean, can_sign_in_with_issuer: boolean, subject: string | null,
 *   team: string | null, teams: string[], scopes: string[], csrf: string | null, public_url: string, version: string}} Session
 */

const TEAM_KEY = "trawl.team";

/** @type {Session} */
export let session = {
  signed_in: false,
  needs_sign_in: true,
  can_sign_in_with_issuer: false,
  subject: null,
  team: null,
  teams: [],
  scopes: [],
  csrf: null,
  public_url: "",
  version: "",
};

/** Ask who is signed in. */
export async function loadSession() {
  carry({ team: localStorage.getItem(TEAM_KEY) });
  session = await get("/auth/session");
  if (session.team === null && session.teams.length > 0) {
    // The team that was chosen before is no longer one of this person's.
    chooseTeam(session.teams[0]);
    session = await get("/auth/session");
  }
  carry({ csrf: session.csrf });
  return session;
}

/** @param {string} scope */
export function may(scope) {
  return session.scopes.includes(scope);
}

/** @param {string} team */
export function chooseTeam(team) {
  localStorage.setItem(TEAM_KEY, team);
  carry({ team });
}

/** @param {string} token */
export async function signIn(token) {
  localStorage.removeItem(TEAM_KEY);
  const { csrf } = await post("/auth/login", { token });
  carry({ csrf, team: null });
}

export async function signOut() {
  await post("/auth/logout");
  localStorage.removeItem(TEAM_KEY);
}

/** The address at which somebody signs in and then comes back to where they were. */
export function signInAddress() {
  const here = location.pathname + location.search;
  return here.startsWith("/auth/") ? "/auth/login" : `/auth/login?next=${encodeURIComponent(here)}`;
}
