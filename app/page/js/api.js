// Calls the REST interface: the same operations that everybody else calls.

/**
 * @typedef {{error: string, error_category: string, details?: Record<string, any>,
 *   fix?: {required_action: string, command?: string | null}, alternatives?: Record<string, string>}} Failure
 */

/** A call that failed; `failure` says what happened and what to do. */
export class Failed extends Error {
  /** @param {number} status @param {Failure} failure */
  constructor(status, failure) {
    super(failure.error);
    this.status = status;
    this.failure = failure;
  }
}

const UNREACHABLE = {
  error: "The service does not answer",
  error_category: "unavailable",
  fix: { required_action: "See whether it runs and whether this computer is connected, then try again" },
};
const UNREADABLE = {
  error: "The service gave an answer that cannot be read",
  error_category: "unavailable",
  fix: { required_action: "Reload the page; if it persists, tell whoever runs the service" },
};

/** What every call carries: the CSRF token of the session, and the team that was chosen. */
const carried = { csrf: /** @type {string | null} */ (null), team: /** @type {string | null} */ (null) };

/** @param {{csrf?: string | null, team?: string | null}} values */
export function carry(values) {
  Object.assign(carried, values);
}

let sessionEnded = () => {};

/** @param {() => void} listener called when the service no longer knows who this is */
export function onSessionEnd(listener) {
  sessionEnded = listener;
}

/** @typedef {{signal?: AbortSignal, query?: Record<string, unknown>}} Options */

/** @param {string} path @param {Options} [options] @returns {Promise<any>} */
export const get = (path, options) => call("GET", path, undefined, options);
/** @param {string} path @param {unknown} [body] @param {Options} [options] @returns {Promise<any>} */
export const post = (path, body, options) => call("POST", path, body, options);
/** @param {string} path @param {unknown} body @param {Options} [options] @returns {Promise<any>} */
export const put = (path, body, options) => call("PUT", path, body, options);
/** @param {string} path @param {Options} [options] @returns {Promise<any>} */
export const remove = (path, options) => call("DELETE", path, undefined, options);

/**
 * Make a path of parts, each percent-encoded as one segment.
 * @param {...string} parts
 */
export function pathOf(...parts) {
  return parts.map((part, position) => (position ? `/${encodeURIComponent(part)}` : part)).join("");
}

/** The headers that every call needs, for calls that are not made here. */
export function callHeaders() {
  /** @type {Record<string, string>} */
  const headers = {};
  if (carried.csrf) headers["X-CSRF-Token"] = carried.csrf;
  if (carried.team) headers["Trawl-Team"] = carried.team;
  return headers;
}

/**
 * @param {string} method @param {string} path @param {unknown} body @param {Options} [options]
 * @returns {Promise<any>}
 */
async function call(method, path, body, options = {}) {
  const headers = callHeaders();
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers["Content-Type"] = "application/json";
  const response = await send(address(path, options.query), {
    method,
    headers,
    body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
    signal: options.signal,
  });
  const result = await read(response);
  if (response.ok && result.success !== false) return result;
  if (response.status === 401 && !path.startsWith("/auth/")) sessionEnded();
  throw new Failed(response.status, result.error ? result : UNREADABLE);
}

/** @param {string} target @param {RequestInit} request @returns {Promise<Response>} */
async function send(target, request) {
  try {
    return await fetch(target, request);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failed(0, UNREACHABLE);
  }
}

/** @param {Response} response @returns {Promise<any>} */
async function read(response) {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failed(response.status, UNREADABLE);
  }
}

/** @param {string} path @param {Record<string, unknown>} [query] */
function address(path, query) {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined || value === "") continue;
    pairs.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return pairs.size ? `${path}?${pairs}` : path;
}
