// One operation of the reference: its arguments, its result, an example to copy, and a form that tries it.

import { h } from "../../js/dom.js";
import { copyButton } from "../../js/copy.js";
import { simpleTable } from "../../js/loaded.js";
import { tryForm } from "./attempt.js";
import { exampleObject, exampleValue, limitsText, resolved, typeText } from "./schema.js";

/** @typedef {import("./schema.js").Schema} Schema */
/** @typedef {{method: string, path: string, operation: any}} Described */

/** @param {Described} described @param {Record<string, Schema>} schemas */
export function operationSection({ method, path, operation }, schemas) {
  const parameters = operation.parameters ?? [];
  const content = operation.requestBody?.content;
  const body = resolved(content?.["application/json"]?.schema, schemas);
  const result = resolved(operation.responses?.["200"]?.content?.["application/json"]?.schema, schemas);
  const isForm = content?.["multipart/form-data"] !== undefined;
  const example = content?.["application/json"] ? JSON.stringify(exampleObject(body, schemas), null, 2) : null;
  return h(
    "section",
    { class: "operation panel stack tight", id: operation.operationId },
    h("h2", null, h("span", { class: `method ${method}` }, method.toUpperCase()), " ", h("code", null, path)),
    h("p", null, operation.summary ?? ""),
    fields("In the address", parameters.map(parameterRow)),
    fields("In the body", rowsOf(body)),
    folded("The result", fields("", rowsOf(result, []))),
    folded("An example and a try", exampleOf(), tryForm({ method, path, parameters, example, isForm, valueOf })),
  );

  /** @param {any} parameter */
  function parameterRow(parameter) {
    return [nameCell(parameter.name, parameter.required), typeText(parameter.schema, schemas), meaning(parameter.schema, parameter.description)];
  }

  /** @param {Schema} schema @param {string[]} [required] */
  function rowsOf(schema, required = schema.required ?? []) {
    return Object.entries(schema.properties ?? {}).map(([name, value]) => [nameCell(name, required.includes(name)), typeText(value, schemas), meaning(value)]);
  }

  /** @param {Schema} schema @param {string} [description] */
  function meaning(schema, description) {
    return [description ?? resolved(schema, schemas).description, limitsText(schema)].filter(Boolean).join(" · ");
  }

  /** @param {any} parameter */
  function valueOf(parameter) {
    return parameter.required ? String(exampleValue(parameter.name, parameter.schema, schemas)) : "";
  }

  function exampleOf() {
    const command = curl();
    return h("div", { class: "stack tight" }, h("pre", { tabindex: "0" }, command), h("div", null, copyButton("Copy the example", () => command)));
  }

  function curl() {
    const filled = parameters.filter((/** @type {any} */ each) => each.in === "path").reduce((/** @type {string} */ made, /** @type {any} */ each) => made.replace(`{${each.name}}`, encodeURIComponent(valueOf(each))), path);
    const lines = [`curl -X ${method.toUpperCase()} ${location.origin}${filled}`, `  -H "Authorization: Bearer $TRAWL_TOKEN"`];
    if (isForm) lines.push(`  -F "files=@report.pdf"`);
    if (example) lines.push(`  -H "Content-Type: application/json"`, `  -d '${example.replaceAll("'", "'\\''")}'`);
    return lines.join(" \\\n");
  }
}

/** @param {string} name @param {boolean} isRequired */
function nameCell(name, isRequired) {
  return [h("code", null, name), isRequired ? h("div", { class: "meta" }, "required") : null];
}

/** @param {string} title @param {any[][]} rows */
function fields(title, rows) {
  if (rows.length === 0) return null;
  return [title && h("h3", null, title), simpleTable(title || "Fields", ["Name", "Type", "Meaning"], rows)];
}

/** @param {string} title @param {...any} content */
function folded(title, ...content) {
  const shown = content.flat().filter(Boolean);
  return shown.length > 0 && h("details", null, h("summary", null, title), h("div", { class: "stack tight" }, shown));
}
