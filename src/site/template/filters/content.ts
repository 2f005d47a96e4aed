// Content: objects by id, objects that refer to one, Markdown, tables of contents, videos.

import type * as Marked from "marked";
import { slug } from "#base/ids.ts";
import { lazily } from "#base/lazy.ts";
import { escapeHtml, htmlToText } from "#base/text.ts";
import type { Json } from "#contract/json.ts";
import { idsIn } from "#schemas/relations.ts";
import { registerFilter } from "#site/template/define.ts";
import { type HtmlValue, isMarkup, markup, textOf } from "#site/template/html-value.ts";
import type { Rendering } from "#site/template/rendering.ts";
import { askQuery, getObjects } from "#site/template/tags/query.ts";
import { findObjectMeta } from "#site/template/values.ts";
import { attributes } from "./images.ts";
import { tameMarkdown } from "./tame-markdown.ts";

const marked = lazily<typeof Marked>("marked");

const maxMarkdown = 200_000;

/** An id gives an object or nil, a list of ids a list. */
registerFilter("object", async (value, [collection], { rendering }) => {
  const ids = idsIn(value as Json | undefined);
  const found = await getObjects(rendering, textOf(collection), ids);
  const objects = ids.flatMap((id) => found.get(id) ?? []);
  return Array.isArray(value) ? objects : objects[0];
});

/** Objects that refer to this one: of one collection, or of all that can. */
registerFilter("related", async (value, [wanted], { rendering, named }) => {
  const meta = findObjectMeta(value);
  if (!meta) return [];
  const { sort, limit } = named;
  const related: unknown[] = [];
  for (const { collection, properties } of await rendering.reader.referring(meta.collection.id)) {
    if (wanted !== undefined && collection.id !== textOf(wanted)) continue;
    for (const property of properties) {
      const include = `${property}:${meta.recorded.id}`;
      const found = await askQuery(rendering, collection.id, { include, sort, limit: limit ?? 20 });
      related.push(...found);
    }
  }
  return related.slice(0, Number(textOf(limit)) || 20);
});

let parser: Marked.Marked | undefined;

/** Tags in the text are text: they are shown, not run. */
function markdownParser(): Marked.Marked {
  parser ??= new (marked().Marked)({
    gfm: true,
    renderer: {
      html: ({ text }) => escapeHtml(text),
    },
  });
  return parser;
}

function renderMarkdown(rendering: Rendering, value: unknown, isInline: boolean): HtmlValue | string {
  const text = textOf(value);
  if (text.length > maxMarkdown) throw new Error(`markdown takes texts of at most ${maxMarkdown} characters`);
  const parse = markdownParser();
  const tame = tameMarkdown(text);
  const html = String(isInline ? parse.parseInline(tame, { async: false }) : parse.parse(tame, { async: false }));
  const clean = rendering.reader.clean(html);
  return rendering.isMarkup ? markup(clean) : clean;
}

registerFilter("markdown", (value, _args, { rendering }) => renderMarkdown(rendering, value, false));
registerFilter("markdown_inline", (value, _args, { rendering }) => renderMarkdown(rendering, value, true));

interface Heading {
  level: number;
  id: string;
  text: string;
}

const headingForm = /<h([2-4])([^>]*)>([\s\S]*?)<\/h\1>/gi;

/** Each heading gets an id, unless it has one. The input is markup already: nothing of it changes but that. */
function withHeadings(rendering: Rendering, value: unknown): { html: string; headings: Heading[] } {
  const source = isMarkup(value) ? value.markup() : rendering.reader.clean(textOf(value));
  const headings: Heading[] = [];
  const used = new Set<string>();
  const html = source.replace(headingForm, (_whole, level: string, attributesText: string, inner: string) => {
    const text = htmlToText(inner).replace(/\s+/g, " ").trim();
    const [, own] = /\sid="([^"]*)"/.exec(attributesText) ?? [];
    const id = own ?? freeName(used, slug(text) || "section");
    used.add(id);
    headings.push({ level: Number(level), id, text });
    const added = own === undefined ? ` id="${escapeHtml(id)}"` : "";
    return `<h${level}${added}${attributesText}>${inner}</h${level}>`;
  });
  return { html, headings };
}

function freeName(used: ReadonlySet<string>, name: string): string {
  let free = name;
  for (let number = 2; used.has(free); number++) free = `${name}-${number}`;
  return free;
}

registerFilter("headings_ids", (value, _args, { rendering }) => markup(withHeadings(rendering, value).html));

registerFilter("toc", (value, _args, { rendering, named }) => {
  const { headings } = withHeadings(rendering, value);
  if (headings.length === 0) return "";
  const label = textOf(named.label) || "Contents";
  return markup(`<nav${attributes({ class: named.class ?? "toc", "aria-label": label })}>${tocList(headings)}</nav>`);
});

function tocList(headings: readonly Heading[]): string {
  const top = Math.min(...headings.map(({ level }) => level));
  const items: string[] = [];
  for (let at = 0; at < headings.length; ) {
    const heading = headings[at] as Heading;
    let end = at + 1;
    while (end < headings.length && (headings[end] as Heading).level > top) end++;
    const below = headings.slice(heading.level > top ? at : at + 1, end);
    const link = heading.level > top ? "" : `<a href="#${escapeHtml(heading.id)}">${escapeHtml(heading.text)}</a>`;
    items.push(`<li>${link}${below.length > 0 ? tocList(below) : ""}</li>`);
    at = end;
  }
  return `<ol>${items.join("")}</ol>`;
}

const players: readonly [pattern: RegExp, address: (id: string) => string][] = [
  [
    /^https?:\/\/(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{6,20})/i,
    (id) => `https://www.youtube-nocookie.com/embed/${id}`,
  ],
  [
    /^https?:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d{4,15})/i,
    (id) => `https://player.vimeo.com/video/${id}?dnt=1`,
  ],
];

/** Nothing is loaded from the other host before the visitor opens it. A host that the site does not allow stays a link. */
registerFilter("embed", (value, _args, { rendering, named }) => {
  const address = textOf(value).trim();
  const title = textOf(named.title) || "Video";
  for (const [pattern, playerAddress] of players) {
    const id = pattern.exec(address)?.[1];
    if (id === undefined) continue;
    const src = playerAddress(id);
    if (!rendering.site.iframeHosts.includes(new URL(src).hostname)) break;
    const frame = attributes({
      ...{ src, title, loading: "lazy", allow: "fullscreen; picture-in-picture", allowfullscreen: true },
      ...{ referrerpolicy: "strict-origin-when-cross-origin", width: "560", height: "315" },
    });
    const start = attributes({ class: named.class ?? "embed" });
    return markup(`<details${start}><summary>${escapeHtml(title)}</summary><iframe${frame}></iframe></details>`);
  }
  if (!/^https?:\/\//i.test(address)) return "";
  return markup(`<a${attributes({ href: address, rel: "noopener" })}>${escapeHtml(title)}</a>`);
});
