// Reads schemas of the OpenAPI document: types and limits in words, and an example of each value.

/** @typedef {Record<string, any>} Schema */

/** What examples hold, by the name of the argument. @type {Record<string, unknown>} */
const EXAMPLES = {
  query: "otter trawl",
  queries: ["otter trawl", "beam trawl"],
  quote: "the net is towed along the sea floor",
  index_name: "default",
  name: "my agent",
  doc_id: "note-1",
  content: "The text of the document.",
  documents: [{ doc_id: "note-1", content: "The text of the document.", metadata: { year: 2026 } }],
  source: { type: "urls", urls: ["https://example.org/report.html"] },
  filters: { author: "Smith" },
  sort: ["-date"],
  facets: ["author"],
  scopes: ["search"],
  kind: "*:*:*:*",
  clauses: [{ field: "data.FacilityName", op: "eq", value: "A34" }],
};
const MAX_DEPTH = 4;

/** @param {Schema | undefined} schema @param {Record<string, Schema>} schemas @returns {Schema} */
export function resolved(schema, schemas) {
  const name = schema?.$ref?.replace("#/components/schemas/", "");
  return name ? { ...schemas[name], ...schema } : (schema ?? {});
}

/** @param {Schema} schema @param {Record<string, Schema>} schemas @returns {string} */
export function typeText(schema, schemas) {
  const found = resolved(schema, schemas);
  const options = found.anyOf ?? found.oneOf;
  if (options) return options.map((/** @type {Schema} */ option) => typeText(option, schemas)).join(" | ");
  if (found.enum) return found.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(" | ");
  if ("const" in found) return JSON.stringify(found.const);
  if (found.type === "array") return `[${typeText(found.items ?? {}, schemas)}]`;
  return found.type ?? "any";
}

/** @param {Schema} schema */
export function limitsText(schema) {
  const options = [schema, ...(schema.anyOf ?? [])];
  const limit = (/** @type {string} */ key) => options.find((option) => key in option)?.[key];
  const parts = [];
  if (limit("minimum") !== undefined) parts.push(`from ${limit("minimum")}`);
  if (limit("maximum") !== undefined) parts.push(`up to ${limit("maximum")}`);
  if (limit("maxItems") !== undefined) parts.push(`at most ${limit("maxItems")} items`);
  if (schema.default !== undefined && schema.default !== null) parts.push(`default ${JSON.stringify(schema.default)}`);
  return parts.join(", ");
}

/**
 * An object with the required properties, and a query's usual companions.
 * @param {Schema} schema @param {Record<string, Schema>} schemas
 */
export function exampleObject(schema, schemas) {
  const found = resolved(schema, schemas);
  const names = (found.required ?? []).filter((/** @type {string} */ name) => name in (found.properties ?? {}));
  return Object.fromEntries(names.map((/** @type {string} */ name) => [name, exampleValue(name, found.properties[name], schemas, 0)]));
}

/**
 * @param {string} name @param {Schema} schema @param {Record<string, Schema>} schemas @param {number} depth
 * @returns {unknown}
 */
export function exampleValue(name, schema, schemas, depth = 0) {
  if (name in EXAMPLES) return EXAMPLES[name];
  const found = resolved(schema, schemas);
  const option = (found.anyOf ?? found.oneOf)?.[0];
  if (option && depth < MAX_DEPTH) return exampleValue(name, option, schemas, depth + 1);
  if (found.default !== undefined && found.default !== null) return found.default;
  if (found.enum) return found.enum[0];
  if ("const" in found) return found.const;
  if (found.type === "integer" || found.type === "number") return found.minimum ?? 1;
  if (found.type === "boolean") return true;
  if (found.type === "array") return depth < MAX_DEPTH ? [exampleValue(name.replace(/s$/, ""), found.items ?? {}, schemas, depth + 1)] : [];
  if (found.type === "object") return {};
  return `THE_${name.toUpperCase()}`;
}
