// Builds elements. Texts are always set as text, never as markup, so nothing in a document can run.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Build an element. Properties that begin with "on" are listeners, `class` and all others are attributes; true sets an
 * empty attribute, and null, undefined or false leave it out.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, unknown> | null} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, properties, ...children) {
  const element = document.createElement(name);
  setProperties(element, properties ?? {});
  element.append(...nodes(children));
  return element;
}

/**
 * Build an element of an SVG picture.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, unknown> | null} [properties]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setProperties(element, properties ?? {});
  element.append(...nodes(children));
  return element;
}

/**
 * Replace all that an element holds.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * A link to an address outside the service; plain text if it is no web address, because others could run something.
 * @param {string | null | undefined} address
 * @param {string} [text]
 * @returns {Node}
 */
export function outsideLink(address, text) {
  if (!address || !/^https?:\/\//i.test(address)) return document.createTextNode(text ?? address ?? "");
  return h("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, text ?? address);
}

/**
 * A button that does something here.
 * @param {string} text
 * @param {(event: MouseEvent) => unknown} run
 * @param {Record<string, unknown>} [properties]
 */
export function button(text, run, properties) {
  return h("button", { type: "button", onclick: run, ...properties }, text);
}

/** @param {Element} element @param {Record<string, unknown>} properties */
function setProperties(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  /** @type {(Node | string)[]} */
  const kept = [];
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    kept.push(child instanceof Node ? child : String(child));
  }
  return kept;
}
