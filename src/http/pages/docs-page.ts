// The reference page: the OpenAPI document as HTML, with samples. Works without script; the script searches and tries routes
// out. A key that is typed in stays in the page: it is stored nowhere.

import { escapeHtml } from "#base/text.ts";
import type { JsonObject } from "#contract/json.ts";
import { exampleOf, samplesOf } from "./docs-samples.ts";
import { mark } from "./page-styles.ts";
import type { Page } from "./pages.ts";

const styles = `
body{display:grid;grid-template-columns:17rem minmax(0,1fr);align-items:start;padding:0;font:var(--text-base)}
nav{position:sticky;inset-block-start:0;block-size:100vh;overflow-y:auto;padding:var(--space-6) var(--space-5);background:var(--surface);border-inline-end:1px solid var(--line)}
.brand{margin:0}
nav h2{margin:var(--space-6) 0 var(--space-2);font:600 0.75rem/1rem var(--font);letter-spacing:.04em;color:var(--ink-3)}
nav ul{list-style:none;margin:0;padding:0}
nav li+li{margin:0}
nav a{display:block;padding:var(--space-2) 0;color:var(--ink-2);text-decoration:none}
nav a:hover,nav a:focus{color:var(--accent)}
main{max-inline-size:58rem;padding:var(--space-7) clamp(var(--space-5),4vw,var(--space-8)) 6rem;background:none;border:0}
h1{font:var(--text-h1)}
main h2{margin:var(--space-8) 0 var(--space-5)}
article{margin:0 0 var(--space-5);padding:var(--space-5) var(--space-6);background:var(--surface);border:1px solid var(--line);border-radius:var(--radius-slab)}
article:target{border-color:var(--accent)}
article h3{display:flex;flex-wrap:wrap;gap:var(--space-3);align-items:baseline;font:600 1rem/1.5rem var(--font)}
article h3 code{color:var(--ink);overflow-wrap:anywhere}
article p{margin:var(--space-3) 0 0}
b.method{font:600 .75rem/1rem var(--mono);padding:var(--space-1) var(--space-3);border-radius:var(--radius-control);color:var(--ink-2);background:var(--sunken)}
b.get{color:var(--info);background:var(--info-soft)}b.post{color:var(--good);background:var(--good-soft)}
b.put,b.patch{color:var(--warn);background:var(--warn-soft)}b.delete{color:var(--bad);background:var(--bad-soft)}
table{inline-size:100%;border-collapse:collapse;margin:var(--space-4) 0 0}
th,td{text-align:start;vertical-align:top;padding:var(--space-3) var(--space-4) var(--space-3) 0;border-block-start:1px solid var(--line);color:var(--ink-2)}
th{color:var(--ink-3);font-weight:500}
td code{color:var(--ink)}
details{margin:var(--space-3) 0 0}summary{padding:var(--space-2) 0;cursor:pointer;color:var(--accent)}
pre{margin:var(--space-3) 0 0}
form.try{display:grid;gap:var(--space-3);margin:var(--space-4) 0 0}form.try[hidden]{display:none}
form.try textarea{min-block-size:7rem;font:var(--text-code,0.875rem/1.25rem var(--mono));inline-size:100%}
form.try button{inline-size:auto;justify-self:start}
output{display:block;white-space:pre-wrap;overflow-wrap:anywhere;font:0.875rem/1.25rem var(--mono)}
@media(max-width:50rem){body{display:block}nav{position:static;block-size:auto;max-block-size:45vh;border:0;border-block-end:1px solid var(--line)}article{padding:var(--space-5)}}
`;

const script = `
const box=document.getElementById("search"),parts=[...document.querySelectorAll("[data-text]")],groups=[...document.querySelectorAll("[data-group]")],none=document.getElementById("none");
box.closest("p").hidden=false;
box.addEventListener("input",()=>{const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);let shown=0;
for(const part of parts){part.hidden=!words.every(word=>part.dataset.text.includes(word));if(!part.hidden)shown++}
for(const group of groups)group.hidden=![...group.querySelectorAll("[data-text]")].some(part=>!part.hidden);
none.hidden=shown>0});
const key=document.getElementById("key");key.closest("form").hidden=false;
key.closest("form").addEventListener("submit",event=>event.preventDefault());
let csrf;
const headersFor=async method=>{if(key.value!=="")return{"X-API-Key":key.value};if(method==="GET")return{};
csrf??=fetch("/api/auth/session").then(answer=>answer.json()).then(({data})=>data?.csrfToken??"").catch(()=>"");
return{"X-CSRF-Token":await csrf}};
for(const form of document.querySelectorAll("form.try")){form.hidden=false;form.addEventListener("submit",async event=>{event.preventDefault();
const out=form.querySelector("output"),{method,path}=form.dataset,query=new URLSearchParams();let target=path;out.textContent="...";
for(const field of form.querySelectorAll("[data-in]")){if(field.dataset.in==="path")target=target.replace("{"+field.name+"}",encodeURIComponent(field.value));
else if(field.value!==""){if(field.dataset.in==="raw")for(const[name,value]of new URLSearchParams(field.value))query.append(name,value);else query.set(field.name,field.value)}}
const body=form.querySelector("textarea"),headers=await headersFor(method);if(body)headers["Content-Type"]="application/json";
try{const answer=await fetch(target+(query.size?"?"+query:""),{method,headers,credentials:key.value===""?"same-origin":"omit",...(body&&{body:body.value})});
if(answer.status===403)csrf=undefined;
const text=await answer.text();let shown=text;try{shown=JSON.stringify(JSON.parse(text),null,2)}catch{}
out.textContent=answer.status+" "+answer.statusText+"\\n"+shown.slice(0,50000)}catch(error){out.textContent=String(error)}})}
`;

/** First what most readers look for; the rest in the order of the routes. */
const firstTags = [
  ...["Collections", "Objects", "Query and index", "Properties", "Deck items", "Reports"],
  ...["Property files", "Files", "Schemas"],
];

interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  spec: JsonObject;
}

export function docsPage(document: JsonObject): Page {
  const all = operationsOf(document);
  const own = ownCollections(all);
  const operations = all.filter(({ tag }) => !own.includes(tag));
  const rank = (tag: string) => (firstTags.includes(tag) ? firstTags.indexOf(tag) : firstTags.length);
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort((one, other) => rank(one) - rank(other));
  const inTag = (tag: string) => operations.filter((operation) => operation.tag === tag);
  const schemas = (document.components as JsonObject).schemas as JsonObject;
  const { title, description } = document.info as { title: string; description: string };
  const url = (document.servers as JsonObject[])[0]?.url as string;
  const reader: Reader = {
    site: url,
    collection: own[0] ?? "COLLECTION",
    find: (reference) => schemas[reference.slice(reference.lastIndexOf("/") + 1)] as JsonObject | undefined,
  };
  const shown = Object.entries(schemas).filter(([name]) => !/\.(input|change)$/.test(name));
  const menu = tags.map(
    (tag) => `<div data-group><h2>${escapeHtml(tag)}</h2><ul>${inTag(tag).map(menuEntry).join("")}</ul></div>`,
  );
  const sections = tags.map((tag) => {
    const articles = inTag(tag).map((operation) => article(operation, reader));
    return `<section data-group><h2>${escapeHtml(tag)}</h2>${articles.join("")}</section>`;
  });
  const body =
    `<nav aria-label="Reference"><div class="brand">${mark}Cairn</div><p hidden><label for="search">Search</label><input id="search" type="search"></p>` +
    `${menu.join("")}<div data-group><h2>Schemas</h2><ul>${shown.map(([name]) => schemaEntry(name)).join("")}</ul></div></nav>` +
    `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p><p>Base address: <code>${escapeHtml(url)}</code>. ` +
    `Send an API key as <code>X-API-Key</code> or <code>Authorization: Bearer</code>. ` +
    `The same as data: <a href="/api/openapi.json">openapi.json</a>, with the routes of each collection by name; ` +
    `types for TypeScript: <a href="/api/types.d.ts">types.d.ts</a>.</p>${ownList(own)}` +
    `<form hidden><p><label for="key">API key for trying routes out</label><input id="key" type="password" autocomplete="off">` +
    `<span>Without one your session is used, if you are signed in. The key stays in this page.</span></p></form>` +
    `<p id="none" role="status" hidden>Nothing found.</p>` +
    `${sections.join("")}<section data-group><h2>Schemas</h2>` +
    `${shown.map(([name, schema]) => schemaArticle(name, schema as JsonObject)).join("")}</section></main>`;
  return { title, body, styles, script, callsSite: true, hasOwnHead: true };
}

interface Reader {
  site: string;
  /** One that the reader may read. */
  collection: string;
  find(reference: string): JsonObject | undefined;
}

/** They have the same routes, so the page shows them once. */
function ownCollections(operations: readonly Operation[]): string[] {
  const own = operations.filter(({ path, tag }) => path === `/api/collections/${tag}`);
  return [...new Set(own.map(({ tag }) => tag))];
}

function ownList(collections: readonly string[]): string {
  if (collections.length === 0) return "";
  const names = collections.map((id) => `<code>${escapeHtml(id)}</code>`);
  return `<p>Collections that you may read: ${names.join(", ")}.</p>`;
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

function article(operation: Operation, reader: Reader): string {
  const { id, method, path, spec } = operation;
  const description = spec.description ? `<p>${prose(String(spec.description))}</p>` : "";
  return (
    `<article id="${id}" ${searchText(method, path, spec.summary, spec.description)}>` +
    `<h3><b class="method ${method}">${method.toUpperCase()}</b><code>${escapeHtml(path)}</code></h3>` +
    `<p>${escapeHtml(String(spec.summary))}</p>${description}` +
    `${parameterTable(spec.parameters as JsonObject[])}${body(spec.requestBody as JsonObject | undefined)}` +
    `${responses(spec.responses as JsonObject)}${calls(operation, reader)}</article>`
  );
}

/** Samples, and a form that the script shows. */
function calls({ id, method, path, spec }: Operation, { site, collection, find }: Reader): string {
  const types = ((spec.requestBody as JsonObject | undefined)?.content ?? {}) as Record<string, { schema: JsonObject }>;
  const example = exampleOf(types["application/json"]?.schema ?? {}, find);
  const route = { method: method.toUpperCase(), path, bodyTypes: Object.keys(types), body: example };
  const samples = samplesOf(route, site, collection).map(
    ({ name, code }) => `<p>${name}</p><pre tabindex="0">${escapeHtml(code)}</pre>`,
  );
  const isJson = types["application/json"] !== undefined;
  const canTry = path.startsWith("/api/") && (isJson || route.bodyTypes.length === 0);
  const inputs = (spec.parameters as JsonObject[])
    .filter((parameter) => parameter.in === "path" || parameter.in === "query")
    .map((parameter) => input(id, parameter, collection));
  const box = isJson
    ? `<label>Body<textarea spellcheck="false">${escapeHtml(JSON.stringify(example, null, 2))}</textarea></label>`
    : "";
  const form =
    `<form class="try" hidden data-method="${route.method}" data-path="${escapeHtml(path)}">${inputs.join("")}${box}` +
    `<button>Send</button><output></output></form>`;
  return (
    `<details><summary>Samples</summary>${samples.join("")}</details>` +
    `${canTry ? `<details><summary>Try it</summary>${form}</details>` : ""}`
  );
}

function input(id: string, { name, in: where, schema }: JsonObject, collection: string): string {
  const isFilter = (schema as JsonObject).type === "object";
  const value = name === "collection" ? ` value="${escapeHtml(collection)}"` : "";
  const label = isFilter ? `${name} (as in an address: ${name}[title]=...)` : String(name);
  const place = isFilter ? "raw" : String(where);
  const field = `${id}-${name}`;
  return (
    `<div><label for="${escapeHtml(field)}">${escapeHtml(label)}</label><input id="${escapeHtml(field)}" name="${escapeHtml(String(name))}" ` +
    `data-in="${place}"${where === "path" ? " required" : ""}${value}></div>`
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
