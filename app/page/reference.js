// Draws /openapi.json. Text is only ever set as text, never as markup.

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const resolved = (schema, schemas) => {
  const name = schema?.$ref?.replace("#/components/schemas/", "");
  return name ? { ...schemas[name], ...schema } : (schema ?? {});
};

const typeOf = (schema, schemas) => {
  const known = resolved(schema, schemas);
  const options = known.anyOf ?? known.oneOf;
  if (options) return options.map((option) => typeOf(option, schemas)).join(" | ");
  if (known.enum) return known.enum.map((value) => JSON.stringify(value)).join(" | ");
  if ("const" in known) return JSON.stringify(known.const);
  if (known.type === "array") return `[${typeOf(known.items, schemas)}]`;
  return known.type ?? "any";
};

const limitsOf = (schema) => {
  const options = [schema, ...(schema.anyOf ?? [])];
  const found = (key) => options.find((option) => key in option)?.[key];
  const parts = [];
  if (found("minimum") !== undefined) parts.push(`from ${found("minimum")}`);
  if (found("maximum") !== undefined) parts.push(`up to ${found("maximum")}`);
  if (found("maxItems") !== undefined) parts.push(`at most ${found("maxItems")} items`);
  if (schema.default !== undefined && schema.default !== null) parts.push(`default ${JSON.stringify(schema.default)}`);
  return parts.join(", ");
};

const fieldsTable = (rows, schemas) => {
  const head = element("tr", {}, ...["Name", "Type", "Meaning"].map((text) => element("th", { textContent: text, scope: "col" })));
  const body = rows.map(({ name, schema, required, description, place }) => {
    const meaning = [description ?? resolved(schema, schemas).description, limitsOf(schema)].filter(Boolean).join(" · ");
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
  const parameters = (operation.parameters ?? []).map((one) => ({ ...one, place: one.in }));
  const content = operation.requestBody?.content;
  const body = resolved((content?.["application/json"] ?? content?.["multipart/form-data"])?.schema, schemas);
  const result = resolved(operation.responses?.["200"]?.content?.["application/json"]?.schema, schemas);
  const heading = element("h2", { id }, element("span", { className: `method ${method}`, textContent: method.toUpperCase() }), " ", element("code", { textContent: path }));
  return element(
    "section",
    {},
    heading,
    element("p", { textContent: operation.summary ?? "" }),
    ...section("Parameters", parameters, schemas),
    ...section("Body", rowsOf(body), schemas),
    ...section("Answer", rowsOf(result, []), schemas),
  );
};

const draw = (reference) => {
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
  draw(await response.json());
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
} catch {
  document.querySelector("#operations").replaceChildren(
    element("p", { textContent: "The reference could not be loaded. Reload the page, or read /openapi.json." }),
  );
}
