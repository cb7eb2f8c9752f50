// Renders /openapi.json. Texts are set as text, never as markup.

const element = (name, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
};

const resolveReference = (schema, schemas) => {
  const name = schema?.$ref?.replace("#/components/schemas/", "");
  return name ? { ...schemas[name], ...schema } : (schema ?? {});
};

const typeOf = (schema, schemas) => {
  const resolved = resolveReference(schema, schemas);
  const options = resolved.anyOf ?? resolved.oneOf;
  if (options) return options.map((option) => typeOf(option, schemas)).join(" | ");
  if (resolved.enum) return resolved.enum.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in resolved) return JSON.stringify(resolved.const);
  if (resolved.type === "array") return `[${typeOf(resolved.items, schemas)}]`;
  return resolved.type ?? "any";
};

const limitsOf = (schema) => {
  const options = [schema, ...(schema.anyOf ?? [])];
  const limit = (key) => options.find((option) => key in option)?.[key];
  const parts = [];
  if (limit("minimum") !== undefined) parts.push(`from ${limit("minimum")}`);
  if (limit("maximum") !== undefined) parts.push(`up to ${limit("maximum")}`);
  if (limit("maxItems") !== undefined) parts.push(`at most ${limit("maxItems")} items`);
  if (schema.default !== undefined && schema.default !== null) parts.push(`default ${JSON.stringify(schema.default)}`);
  return parts.join(", ");
};

const fieldsTable = (rows, schemas) => {
  const head = element("tr", {}, ...["Name", "Type", "Description"].map((text) => element("th", { textContent: text, scope: "col" })));
  const body = rows.map(({ name, schema, required, description, place }) => {
    const meaning = [description ?? resolveReference(schema, schemas).description, limitsOf(schema)].filter(Boolean).join(" · ");
    const label = element("td", {}, element("code", { textContent: name }));
    if (required) label.append(" ", element("span", { className: "required", textContent: "required" }));
    if (place === "path") label.append(" ", element("span", { className: "place", textContent: "in the path" }));
    return element("tr", {}, label, element("td", { textContent: typeOf(schema, schemas) }), element("td", { textContent: meaning }));
  });
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
};

const rowsOf = (schema, required = schema.required ?? []) =>
  Object.entries(schema.properties ?? {}).map(([name, value]) => ({
    name,
    schema: value,
    required: required.includes(name),
  }));

const section = (title, rows, schemas) =>
  rows.length ? [element("h3", { textContent: title }), fieldsTable(rows, schemas)] : [];

const operationCard = (method, path, operation, schemas) => {
  const id = operation.operationId;
  const parameters = (operation.parameters ?? []).map((parameter) => ({ ...parameter, place: parameter.in }));
  const content = operation.requestBody?.content;
  const body = resolveReference((content?.["application/json"] ?? content?.["multipart/form-data"])?.schema, schemas);
  const result = resolveReference(operation.responses?.["200"]?.content?.["application/json"]?.schema, schemas);
  const heading = element("h2", { id }, element("span", { className: `method ${method}`, textContent: method.toUpperCase() }), " ", element("code", { textContent: path }));
  return element(
    "section",
    {},
    heading,
    element("p", { textContent: operation.summary ?? "" }),
    ...section("Parameters", parameters, schemas),
    ...section("Body", rowsOf(body), schemas),
    ...section("Response", rowsOf(result, []), schemas),
  );
};

const render = (reference) => {
  const schemas = reference.components?.schemas ?? {};
  const operations = Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  document.querySelector("#contents").replaceChildren(
    element("ul", {}, ...operations.map(({ method, path, operation }) =>
      element("li", {}, element("a", { href: `#${operation.operationId}`, textContent: operation.summary ?? `${method} ${path}` })))),
  );
  document.querySelector("#operations").replaceChildren(
    ...operations.map(({ method, path, operation }) => operationCard(method, path, operation, schemas)),
  );
};

try {
  const response = await fetch("/openapi.json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  render(await response.json());
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
} catch {
  document.querySelector("#operations").replaceChildren(
    element("p", { textContent: "The reference could not be loaded. Reload the page, or read /openapi.json." }),
  );
}
