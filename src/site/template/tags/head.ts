// `{% head %}`: what search engines, feed readers and previews of links want to know of a page.

import { escapeHtml, htmlToText } from "#base/text.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { feedFormats, feedTypes } from "#site/feed-formats.ts";
import { absolute } from "#site/template/addresses.ts";
import { type Arguments, registerTag, type SiteTag } from "#site/template/define.ts";
import { attributes, findImage, imageAddress } from "#site/template/filters/images.ts";
import { excerptOf } from "#site/template/filters/texts.ts";
import { toJson } from "#site/template/filters/values.ts";
import { isMarkup, textOf } from "#site/template/html-value.ts";
import { laterText, type Rendering } from "#site/template/rendering.ts";
import { findObjectMeta } from "#site/template/values.ts";
import { breadcrumbs, type Crumb, titleOf } from "./navigation.ts";

const names = ["title", "description", "image", "canonical", "robots", "type", "separator", "feeds", "jsonld"];
const descriptions = ["description", "summary", "excerpt", "teaser", "intro", "content", "text"];
const dates = ["date", "published", "created"];

const headTag: SiteTag<Arguments> = {
  parse: (source) => source.readArguments(names),
  *render(args, run) {
    const { named } = yield* run.arguments(args);
    const { rendering } = run;
    const object: unknown = yield (run.context.globals as { object?: unknown }).object;
    const crumbs = (yield breadcrumbs(rendering, object)) as Crumb[];
    const record = rendering.values.page ?? {};
    const own = isJsonObject(record.head) ? record.head : {};
    run.print(headMarkup(rendering, { named: { ...own, ...named }, object, crumbs, record }));
  },
};

interface HeadParts {
  named: Readonly<Record<string, unknown>>;
  object: unknown;
  crumbs: readonly Crumb[];
  record: JsonObject;
}

function headMarkup(rendering: Rendering, parts: HeadParts): string {
  const { named, object, record } = parts;
  const { site, request } = rendering;
  const plain = textOf(named.title) || titleOf(object) || textOf(record.title) || site.name;
  const title =
    plain === site.name || named.title !== undefined
      ? plain
      : `${plain}${textOf(named.separator) || " – "}${site.name}`;
  const description = textOf(named.description) || textOf(record.description) || describe(object);
  const image = findImage(named.image) ?? imageOf(object) ?? findImage(record.image);
  const picture = image ? absolute(rendering, imageAddress(rendering, image, { w: "1200" })) : textOf(named.image);
  const canonical = laterText(rendering, () => escapeHtml(canonicalOf(rendering, parts)));
  const isHidden = record.noindex === true || rendering.values.error !== undefined;
  const robots = textOf(named.robots) || (isHidden ? "noindex" : "");
  const date = dateOf(object);
  const type = textOf(named.type) || (date === "" ? "website" : "article");
  const lines = [
    `<title>${escapeHtml(title)}</title>`,
    meta({ name: "description", content: description }),
    rendering.values.error ? "" : `<link rel="canonical" href="${canonical}">`,
    meta({ name: "robots", content: robots }),
    meta({ property: "og:title", content: plain }),
    meta({ property: "og:description", content: description }),
    meta({ property: "og:type", content: type }),
    rendering.values.error ? "" : `<meta property="og:url" content="${canonical}">`,
    meta({ property: "og:site_name", content: site.name }),
    meta({ property: "og:locale", content: request.locale.replace("-", "_") }),
    meta({ property: "og:image", content: picture }),
    meta({ property: "og:image:alt", content: image?.alt ?? "" }),
    meta({ name: "twitter:card", content: picture === "" ? "summary" : "summary_large_image" }),
    ...feedLinks(rendering, parts),
    ...(named.jsonld === false ? [] : jsonLd(rendering, parts, { title: plain, description, picture, date })),
  ];
  return lines.filter(Boolean).join("\n");
}

/** Nothing without content. */
function meta(values: { content: string; [name: string]: string }): string {
  return values.content === "" ? "" : `<meta${attributes(values)}>`;
}

/** Of this or another site; with those parameters that the page has read and that make another page. */
function canonicalOf(rendering: Rendering, { named, record }: HeadParts): string {
  const chosen = textOf(named.canonical) || textOf(record.canonical);
  if (chosen !== "") return absolute(rendering, chosen);
  const wanted = new Set(["page", ...(Array.isArray(named.query) ? named.query.map(textOf) : [])]);
  const query = new URLSearchParams();
  for (const [name, value] of rendering.parameters) {
    if (wanted.has(name) && value !== undefined && !(name === "page" && value === "1")) query.set(name, value);
  }
  const text = query.toString();
  return absolute(rendering, text === "" ? rendering.request.path : `${rendering.request.path}?${text}`);
}

function describe(object: unknown): string {
  const meta = findObjectMeta(object);
  if (!meta) return "";
  for (const name of descriptions) {
    if (!meta.collection.schema.properties.has(name)) continue;
    const value = (object as Record<string, unknown>)[name];
    const text = textOf(value);
    if (text !== "") return excerptOf(isMarkup(value) ? htmlToText(text) : text, 160);
  }
  return "";
}

/** The first image of the object, in the order of its schema. */
function imageOf(object: unknown): ReturnType<typeof findImage> {
  const meta = findObjectMeta(object);
  for (const { name, kind } of meta?.collection.schema.properties.values() ?? []) {
    if (kind.type !== "image" && kind.type !== "gallery") continue;
    const image = findImage((object as Record<string, unknown>)[name]);
    if (image) return image;
  }
  return undefined;
}

function dateOf(object: unknown): string {
  const meta = findObjectMeta(object);
  const name = dates.find((one) => one !== "created" && meta?.collection.schema.properties.has(one));
  return name === undefined ? "" : textOf((object as Record<string, unknown>)[name]);
}

function feedLinks(rendering: Rendering, { named, record, object }: HeadParts): string[] {
  const listed = textOf(named.feeds);
  const bound = findObjectMeta(object)?.collection.id ?? textOf(record.collection);
  const ids = (listed || bound).split(",").map((id) => id.trim());
  return ids
    .filter((id) => /^[a-z0-9_-]+$/.test(id))
    .flatMap((id) =>
      feedFormats.map((format) => {
        const link = { rel: "alternate", type: feedTypes[format], title: `${rendering.site.name}: ${id}` };
        return `<link${attributes({ ...link, href: `/feed/${format}/${id}` })}>`;
      }),
    );
}

interface Described {
  title: string;
  description: string;
  picture: string;
  date: string;
}

/** Data, not a script: it never runs. */
function jsonLd(rendering: Rendering, { crumbs, object }: HeadParts, described: Described): string[] {
  const blocks: object[] = [];
  const { title, description, picture, date } = described;
  if (date !== "") {
    blocks.push({
      ...{ "@context": "https://schema.org", "@type": "Article", headline: title.slice(0, 110), datePublished: date },
      ...(description !== "" && { description }),
      ...(picture !== "" && { image: picture }),
      dateModified: textOf((object as Record<string, unknown>).modified) || date,
    });
  }
  if (crumbs.length > 1) {
    const itemListElement = crumbs.map((crumb, index) => ({
      ...{ "@type": "ListItem", position: index + 1, name: crumb.title },
      ...(crumb.url !== "" && { item: absolute(rendering, crumb.url) }),
    }));
    blocks.push({ "@context": "https://schema.org", "@type": "BreadcrumbList", itemListElement });
  }
  return blocks.map((block) => `<script type="application/ld+json">${toJson(rendering, block)}</script>`);
}

registerTag("head", headTag);
