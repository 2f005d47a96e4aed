// The reference page: the OpenAPI document as HTML. Works without script; the script only filters.

import { escapeHtml } from "#base/text.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Page } from "./pages.ts";

const styles = `
body{display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;padding:1.25rem;background:var(--tint);border-right:1px solid var(--line);font-size:.9rem}
nav h2{font-size:.75rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft);margin:1.25rem 0 .25rem}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.15rem 0;color:inherit;text-decoration:none}
nav a:hover,nav a:focus{color:var(--accent)}
main{max-width:58rem;margin:0;padding:2rem 2.5rem 6rem}
main h2{margin:3rem 0 1rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
article{margin:0 0 1rem;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.5rem}
article h3{margin:0;font-size:1rem;display:flex;gap:.6rem;align-items:baseline;flex-wrap:wrap}
article h3 code{overflow-wrap:anywhere}
article p{margin:.4rem 0}
b.method{font:600 .75rem ui-monospace,monospace;padding:.15rem .45rem;border-radius:.25rem;color:var(--paper);background:var(--soft)}
b.get{background:var(--accent)}b.delete{background:var(--bad)}
code,pre{font:.875rem/1.5 ui-monospace,monospace}
table{width:100%;border-collapse:collapse;margin:.6rem 0;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-top:1px solid var(--line)}
th{color:var(--soft);font-weight:600}
details{margin:.5rem 0 0}summary{cursor:pointer;color:var(--accent)}
pre{overflow-x:auto;margin:.5rem 0 0;padding:.75rem;background:var(--tint);border-radius:.35rem}
[hidden]{display:none!important}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;max-height:40vh;border:0;border-bottom:1px solid var(--line)}main{padding:1.25rem}}
`;

const script = `
const box=document.getElementById("search"),parts=[...document.querySelectorAll("[data-text]")],groups=[...document.querySelectorAll("[data-group]")],none=document.getElementById("none");
box.closest("p").hidden=false;
box.addEventListener("input",()=>{const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);let shown=0;
for(const part of parts){part.hidden=!words.every(word=>part.dataset.text.includes(word));if(!part.hidden)shown++}
for(const group of groups)group.hidden=![...group.querySelectorAll("[data-text]")].some(part=>!part.hidden);
none.hidden=shown>0});
`;

interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  spec: JsonObject;
}

export function docsPage(document: JsonObject): Page {
  const operations = operationsOf(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const inTag = (tag: string) => operations.filter((operation) => operation.tag === tag);
  const schemas = (document.components as JsonObject).schemas as JsonObject;
  const { title, description } = document.info as { title: string; description: string };
  const url = (document.servers as JsonObject[])[0]?.url as string;
  const menu = tags.map(
    (tag) => `<div data-group><h2>${escapeHtml(tag)}</h2><ul>${inTag(tag).map(menuEntry).join("")}</ul></div>`,
  );
  const sections = tags.map(
    (tag) => `<section data-group><h2>${escapeHtml(tag)}</h2>${inTag(tag).map(article).join("")}</section>`,
  );
  const body =
    `<nav aria-label="Reference"><p hidden><label for="search">Search</label><input id="search" type="search"></p>` +
    `${menu.join("")}<div data-group><h2>Schemas</h2><ul>${Object.keys(schemas).map(schemaEntry).join("")}</ul></div></nav>` +
    `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p><p>Base address: <code>${escapeHtml(url)}</code>. ` +
    `Send an API key as <code>X-API-Key</code> or <code>Authorization: Bearer</code>. ` +
    `The same as data: <a href="/api/openapi.json">openapi.json</a>.</p><p id="none" role="status" hidden>Nothing found.</p>` +
    `${sections.join("")}<section data-group><h2>Schemas</h2>` +
    `${Object.entries(schemas)
      .map(([name, schema]) => schemaArticle(name, schema as JsonObject))
      .join("")}</section></main>`;
  return { title, body, styles, script };
}

function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(document.paths as JsonObject).flatMap(([path, methods]) =>
    Object.entries(methods as JsonObject).map(([method, value]) => {
      const spec = value as JsonObject;
      return { id: String(spec.operationId), method, path, tag: (spec.tags as string[])[0] ?? "", spec };
    }),
  );
}

function searchText(...parts: unknown[]): string {
  return `data-text="${escapeHtml(parts.join(" ").toLowerCase())}"`;
}

function menuEntry({ id, method, path, spec }: Operation): string {
  return `<li ${searchText(method, path, spec.summary)}><a href="#${id}">${escapeHtml(String(spec.summary))}</a></li>`;
}

function schemaEntry(name: string): string {
  return `<li ${searchText("schema", name)}><a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a></li>`;
}

function article({ id, method, path, spec }: Operation): string {
  const description = spec.description ? `<p>${prose(String(spec.description))}</p>` : "";
  return (
    `<article id="${id}" ${searchText(method, path, spec.summary, spec.description)}>` +
    `<h3><b class="method ${method}">${method.toUpperCase()}</b><code>${escapeHtml(path)}</code></h3>` +
    `<p>${escapeHtml(String(spec.summary))}</p>${description}` +
    `${parameterTable(spec.parameters as JsonObject[])}${body(spec.requestBody as JsonObject | undefined)}` +
    `${responses(spec.responses as JsonObject)}</article>`
  );
}

function parameterTable(parameters: JsonObject[]): string {
  const rows = parameters
    .filter((parameter) => parameter.in !== "path")
    .map(({ name, in: where, description = "", schema }) => {
      const { enum: choices, default: fallback, maximum } = schema as JsonObject;
      const about = [
        description,
        Array.isArray(choices) && `One of ${choices.map((choice) => `\`${choice}\``).join(", ")}.`,
        maximum !== undefined && `At most ${maximum}.`,
        fallback !== undefined && `Default \`${fallback}\`.`,
      ];
      return `<tr><td><code>${escapeHtml(String(name))}</code></td><td>${where}</td><td>${prose(about.filter(Boolean).join(" "))}</td></tr>`;
    });
  if (rows.length === 0) return "";
  return `<table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** Text with `code` in it. */
function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function body(requestBody: JsonObject | undefined): string {
  if (!requestBody) return "";
  return content("Body", requestBody.content as JsonObject);
}

function responses(all: JsonObject): string {
  return Object.entries(all)
    .filter(([status]) => status !== "default")
    .map(([status, value]) => {
      const { description, content: types } = value as { description: string; content?: JsonObject };
      return types ? content(`Answer ${status}`, types) : `<p>Answer ${status}: ${escapeHtml(description)}</p>`;
    })
    .join("");
}

function content(label: string, types: JsonObject): string {
  const [first] = Object.values(types) as { schema: JsonObject }[];
  const names = Object.keys(types).map((type) => `<code>${escapeHtml(type)}</code>`);
  return `<details><summary>${label}</summary><p>${names.join(", ")}</p>${pre(first?.schema ?? {})}</details>`;
}

function schemaArticle(name: string, schema: JsonObject): string {
  return (
    `<article id="schema-${escapeHtml(name)}" ${searchText("schema", name, schema.description)}><h3>${escapeHtml(name)}</h3>` +
    `${schema.description ? `<p>${escapeHtml(String(schema.description))}</p>` : ""}` +
    `<details><summary>Definition</summary>${pre(schema)}</details></article>`
  );
}

function pre(value: JsonObject): string {
  return `<pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}
