// Pages that are rendered for every request: against a number for one core, and against the template library alone on data that are
// ready. The page has a layout, three partials, 20 objects with the objects they point to, and 8 images.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { start } from "./processes.ts";
import { closeSite, measure, openSite, type Site } from "./site.ts";
import { type Row, whole } from "./table.ts";

const stories = 20;
const images = 8;
const perSecond = 300;
const text = { type: "string", field: "text" };
/** Each is another page, so none is made for two requests. */
const requests = Array.from({ length: 500 }, (_, n) => ({ method: "GET", path: `/rendered?n=${n}` }));

const layout = `<!doctype html><html lang="en"><head><title>Stories</title></head><body>
{% render "top", name: "Stories" %}<main>{% block main %}{% endblock %}</main>{% render "foot" %}</body></html>`;
const top = `<header><a href="/">{{ name }}</a><nav><a href="/a">A</a><a href="/b">B</a></nav></header>`;
const foot = "<footer><p>All stories.</p></footer>";
const card = (image: string, url: string) => `<article><h2><a href="${url}">{{ story.title }}</a></h2>
<p>{{ story.summary }}</p><p>{{ story.author.name }}, {{ story.author.place }}</p>{% if story.image %}${image}{% endif %}</article>`;
const page = (head: string) => `${head}{% block main %}<p>{{ request.query.n }}</p>
{% for story in stories %}{% render "card", story: story %}{% endfor %}{% endblock %}`;

export async function benchRendering(seconds: number, add: (row: Row) => void): Promise<void> {
  const site = await openSite(100);
  await makeContent(site);
  await makeTemplates(site);
  await site.floor.stop();
  const floor = writeFloor(site, await readyData(site));
  site.floor = await start("bench/floor-liquid.ts", floor);
  await comparePages(site);
  const ask = (target: "cairn" | "floor") => measure(site, { requests, seconds, target, connections: 4, headers: {} });
  const ours = await ask("cairn");
  const library = await ask("floor");
  const rate = 1e6 / ours.cpu;
  add({
    workload: `rendered page with ${stories} objects and ${images} images, for one core`,
    cairn: `${whole(rate)}/s, ${whole(ours.cpu)} µs`,
    floor: "",
    ratio: (rate / perSecond).toFixed(2),
    bar: `>= ${perSecond}/s`,
    isMet: rate >= perSecond,
  });
  add({
    workload: "the same, against the template library alone on ready data, processor time",
    cairn: `${whole(ours.cpu)} µs`,
    floor: `${whole(library.cpu)} µs`,
    ratio: (library.cpu / ours.cpu).toFixed(2),
    bar: ">= 0.5",
    isMet: library.cpu >= 0.5 * ours.cpu,
  });
  await closeSite(site);
}

async function makeContent(site: Site): Promise<void> {
  await send(site, "POST", "/api/schemas", { id: "person", properties: { name: text, place: text }, required: [] });
  const image = { type: "object", field: "image" };
  const author = { ...text, reference: "people" };
  const properties = { title: text, summary: text, author, image };
  await send(site, "POST", "/api/schemas", { id: "story", properties, required: [], index: ["title"] });
  await send(site, "POST", "/api/collections", { id: "people", schema: "person", publicOperations: ["read"] });
  const shown = { publicOperations: ["read"], url: "/stories/{id}" };
  await send(site, "POST", "/api/collections", { id: "stories", schema: "story", ...shown });
  for (let n = 0; n < 5; n += 1)
    await send(site, "POST", "/api/collections/people", { id: `p${n}`, name: `Person ${n}`, place: `Place ${n}` });
  const picture = await sharp({ create: { width: 1600, height: 1000, channels: 3, background: "#78563a" } })
    .jpeg()
    .toBuffer();
  for (let n = 0; n < stories; n += 1) {
    const id = `s${String(n).padStart(2, "0")}`;
    const summary = `A walk over stone ${n} & along the river. `.repeat(4);
    await send(site, "POST", "/api/collections/stories", { id, title: `Story ${n}`, summary, author: `p${n % 5}` });
    if (n >= images) continue;
    const form = new FormData();
    form.set("image", new Blob([new Uint8Array(picture)], { type: "image/jpeg" }), "picture.jpg");
    await send(site, "POST", `/api/collections/stories/${id}/image`, form);
  }
}

async function makeTemplates(site: Site): Promise<void> {
  const query = `{% query stories from "stories", sort: "id", limit: ${stories}, with: "author" %}`;
  const image = '{{ story.image | image_tag: widths: "400,800,1200", sizes: "50vw" }}';
  writeAll(join(site.folder, "data", "builder"), {
    "layouts/bench": layout,
    "partials/top": top,
    "partials/foot": foot,
    "partials/card": card(image, "{{ story | url }}"),
    "pages/rendered": page(`{% layout "bench" %}${query}`),
  });
  await send(site, "PUT", "/api/settings/site", { cacheSize: 0 });
  const body = { id: "rendered", title: "Rendered", route: "/rendered", template: "rendered" };
  await send(site, "POST", "/api/collections/builder-pages", body);
}

/** The objects as a template gets them, with the markup of their images. */
async function readyData(site: Site): Promise<object[]> {
  const markup = [...(await readPage(site.cairn.url)).matchAll(/<img [^>]*>/g)].map(([found]) => found);
  if (markup.length !== images) throw new Error(`${markup.length} images were printed`);
  const path = `/api/collections/stories?sort=id&order=asc&limit=${stories}&expand=author`;
  const answer = (await (await fetch(site.cairn.url + path)).json()) as {
    data: { id: string; author: string }[];
    expand: { author: Record<string, object> };
  };
  return answer.data.map((story, n) => {
    const author = answer.expand.author[story.author];
    return { ...story, author, url: `/stories/${story.id}`, image: markup[n] };
  });
}

function writeFloor({ folder }: Site, data: object[]): string[] {
  const root = join(folder, "floor-templates");
  const templates = { bench: layout, top, foot, card: card("{{ story.image | raw }}", "{{ story.url }}") };
  writeAll(root, { ...templates, page: page('{% layout "bench" %}') });
  const file = join(folder, "ready.json");
  writeFileSync(file, JSON.stringify(data));
  return [root, file];
}

function writeAll(root: string, templates: Record<string, string>): void {
  for (const [name, content] of Object.entries(templates)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, `${name}.liquid`), content);
  }
}

async function comparePages({ cairn, floor }: Site): Promise<void> {
  const [ours, theirs] = [await readPage(cairn.url), await readPage(floor.url)];
  if (ours !== theirs) throw new Error("Cairn and the floor print different pages");
}

async function readPage(url: string): Promise<string> {
  const answer = await fetch(`${url}/rendered?n=1`);
  const page = await answer.text();
  if (!answer.ok) throw new Error(`the page answered ${answer.status}: ${page}`);
  return page.replaceAll(/\s+/g, " ");
}

async function send({ cairn, key }: Site, method: string, path: string, body: object): Promise<void> {
  const isForm = body instanceof FormData;
  const headers = { "x-api-key": key, ...(!isForm && { "content-type": "application/json" }) };
  const answer = await fetch(cairn.url + path, { method, headers, body: isForm ? body : JSON.stringify(body) });
  const answered = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${answered}`);
}
