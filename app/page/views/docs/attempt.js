// A form that makes a call and shows what comes back, with the rights of whoever is signed in.

import { fill, h } from "../../js/dom.js";
import { announce } from "../../js/announce.js";
import { callHeaders } from "../../js/api.js";
import { duration } from "../../js/format.js";

const MAX_SHOWN = 20_000;

/**
 * @param {{method: string, path: string, parameters: any[], example: string | null, isForm: boolean, valueOf: (parameter: any) => string}} call
 */
export function tryForm({ method, path, parameters, example, isForm, valueOf }) {
  if (isForm) return h("p", { class: "hint" }, "Files are uploaded on ", h("a", { href: "/feed" }, "the page for feeding"), ".");
  const inputs = parameters.map((parameter) => ({ parameter, input: h("input", { type: "text", value: valueOf(parameter), required: parameter.required, autocomplete: "off" }) }));
  const body = example === null ? null : h("textarea", { rows: Math.min(12, example.split("\n").length + 1), spellcheck: "false" });
  if (body && example) body.value = example;
  const answer = h("div");
  return h(
    "form",
    { class: "stack tight try", onsubmit: send },
    inputs.map(({ parameter, input }) => h("label", null, parameter.name, input)),
    body && h("label", null, "Body", body),
    h("div", null, h("button", { type: "submit" }, method === "get" ? "Try it" : "Try it for real")),
    method !== "get" && h("p", { class: "hint" }, "This makes the call with your rights."),
    answer,
  );

  /** @param {SubmitEvent} event */
  async function send(event) {
    event.preventDefault();
    const started = performance.now();
    const headers = { ...callHeaders(), ...(body ? { "Content-Type": "application/json" } : {}) };
    try {
      const response = await fetch(address(), { method: method.toUpperCase(), headers, body: body?.value });
      const text = await response.text();
      show(`${response.status} in ${duration(performance.now() - started)}`, pretty(text));
    } catch {
      show("The service does not answer", "");
    }
  }

  function address() {
    const query = new URLSearchParams();
    let filled = path;
    for (const { parameter, input } of inputs) {
      if (parameter.in === "path") filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
      else if (input.value !== "") query.set(parameter.name, input.value);
    }
    return query.size ? `${filled}?${query}` : filled;
  }

  /** @param {string} title @param {string} text */
  function show(title, text) {
    fill(answer, h("p", { class: "meta" }, title), text && h("pre", { class: "answer", tabindex: "0" }, text));
    announce(title);
  }
}

/** @param {string} text */
function pretty(text) {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // What is no JSON is shown as it came.
  }
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n… ${shown.length - MAX_SHOWN} more characters` : shown;
}
