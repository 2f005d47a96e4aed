// How a route of the reference page is called: as curl, as fetch, and with the client. Pure text; the page escapes it.

import type { JsonObject } from "#contract/json.ts";

export interface SampleRoute {
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  /** Types of the body; none where the route takes none. */
  bodyTypes: string[];
  /** An example of a JSON body. */
  body: JsonObject;
}

export interface Sample {
  name: string;
  code: string;
}

/** `collection`: one that the reader has. */
export function samplesOf(route: SampleRoute, site: string, collection: string): Sample[] {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === "collection" ? collection : name.toUpperCase(),
  );
  const filled = { ...route, path };
  return [
    { name: "curl", code: curl(filled, site) },
    { name: "fetch", code: fetchCall(filled, site) },
    { name: "client", code: clientCall(route, path, collection) },
  ];
}

const isJson = ({ bodyTypes }: SampleRoute) => bodyTypes.includes("application/json");
const isForm = ({ bodyTypes }: SampleRoute) => !bodyTypes.includes("application/json") && bodyTypes.length > 0;

function curl(route: SampleRoute, site: string): string {
  const method = route.method === "GET" ? "" : ` -X ${route.method}`;
  const lines = [`curl${method} '${site}${route.path}'`, `-H "X-API-Key: $KEY"`];
  if (isJson(route)) lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(route.body)}'`);
  else if (isForm(route)) lines.push("-F file=@FILE");
  return lines.join(" \\\n  ");
}

function fetchCall(route: SampleRoute, site: string): string {
  const headers = isJson(route) ? `{ "X-API-Key": key, "Content-Type": "application/json" }` : `{ "X-API-Key": key }`;
  const body = isJson(route)
    ? `\n  body: JSON.stringify(${JSON.stringify(route.body)}),`
    : isForm(route)
      ? "\n  body: form,"
      : "";
  return `const answer = await fetch(${JSON.stringify(site + route.path)}, {\n  method: "${route.method}",\n  headers: ${headers},${body}\n});`;
}

const list = "/api/collections/{collection}";
const one = `${list}/{id}`;

function clientCall(route: SampleRoute, path: string, collection: string): string {
  const body = JSON.stringify(route.body);
  const known: Record<string, string> = {
    [`GET ${list}`]: 'query().sort("-created").limit(20).list()',
    [`POST ${list}`]: `create(${body})`,
    [`GET ${one}`]: 'get("ID")',
    [`PUT ${one}`]: `replace("ID", ${body})`,
    [`PATCH ${one}`]: `patch("ID", ${body})`,
    [`DELETE ${one}`]: 'delete("ID")',
    [`POST ${one}/{property}`]: 'upload("ID", "PROPERTY", file)',
  };
  const call = known[`${route.method} ${route.path}`];
  if (call !== undefined) return `const result = await cairn.collection(${JSON.stringify(collection)}).${call};`;
  const json = isJson(route) ? `, json: ${body}` : isForm(route) ? ", form" : "";
  return `const result = await cairn.request({ method: "${route.method}", path: ${JSON.stringify(path)}${json} });`;
}

/** A body with the properties that a schema needs, or its first ones. `find`: a schema by its reference. */
export function exampleOf(schema: JsonObject, find: (reference: string) => JsonObject | undefined): JsonObject {
  const known = typeof schema.$ref === "string" ? (find(schema.$ref) ?? {}) : schema;
  const { properties = {}, required = [] } = known as { properties?: JsonObject; required?: string[] };
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 2);
  return Object.fromEntries(names.map((name) => [name, exampleValue(properties[name] as JsonObject | undefined)]));
}

function exampleValue({ type, enum: choices, default: fallback }: JsonObject = {}): JsonObject[string] {
  if (fallback !== undefined) return fallback;
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  return type === "array" ? [] : type === "object" ? {} : "text";
}
