// Menus, page numbers, breadcrumbs and other languages: accessible markup that a partial of the same name replaces.

import type { ValueToken } from "liquidjs";
import { escapeHtml } from "#base/text.ts";
import type { JsonObject } from "#contract/json.ts";
import { listPages, routeOf, withPreview } from "#site/template/addresses.ts";
import { type Arguments, registerTag, type SiteTag } from "#site/template/define.ts";
import { attributes } from "#site/template/filters/images.ts";
import { trailOf } from "#site/template/globals.ts";
import { textOf } from "#site/template/html-value.ts";
import { type NavItem, navTree } from "#site/template/nav.ts";
import type { Rendering } from "#site/template/rendering.ts";
import { findObjectMeta } from "#site/template/values.ts";
import { printReplaceable } from "./replaceable.ts";

interface NavState {
  name: string;
  args: Arguments;
  /** The template uses the name later: it prints the menu itself. */
  isUsed: boolean;
}

const navTag: SiteTag<NavState> = {
  parse(source) {
    const name = source.readName();
    const { input, end } = source.token;
    const isUsed = new RegExp(`\\{[%{][^}]*\\b${name}\\b`).test(input.slice(end));
    return { name, isUsed, args: source.readArguments(["depth", "from", "label", "class"]) };
  },
  *render({ name, args, isUsed }, run) {
    const { named } = yield* run.arguments(args);
    const depth = named.depth === undefined ? undefined : Number(textOf(named.depth)) || 1;
    const tree = (yield navTree(run.rendering, { depth, from: textOf(named.from) })) as NavItem[];
    run.assign(name, tree);
    if (isUsed || tree.length === 0) return;
    const label = textOf(named.label) || name.charAt(0).toUpperCase() + name.slice(1);
    const values = { items: tree, label, name };
    const print = () => `<nav${attributes({ "aria-label": label, class: named.class })}>${menu(tree)}</nav>`;
    yield* printReplaceable(run, "nav", { values, print });
  },
};

function menu(items: readonly NavItem[]): string {
  const entries = items.map(({ title, url, isCurrent, isActive, children }) => {
    const current = isCurrent ? "page" : isActive ? "true" : undefined;
    const link = `<a${attributes({ href: url, "aria-current": current })}>${escapeHtml(title)}</a>`;
    return `<li>${link}${children.length > 0 ? menu(children) : ""}</li>`;
  });
  return `<ul>${entries.join("")}</ul>`;
}

interface PageLink {
  number: number;
  url: string;
  isCurrent: boolean;
}

const paginationTag: SiteTag<{ list: ValueToken; args: Arguments }> = {
  parse(source) {
    return { list: source.readValue(), args: source.readArguments(["label", "parameter", "class"]) };
  },
  *render({ list: token, args }, run) {
    const { named } = yield* run.arguments(args);
    const list = (yield* run.value(token)) as { page?: number; pages?: Promise<number> } | undefined;
    const pages = ((yield list?.pages) as number | undefined) ?? 1;
    const page = list?.page ?? 1;
    if (pages <= 1) return;
    const parameter = textOf(named.parameter) || "page";
    const to = (number: number) => pageAddress(run.rendering, parameter, number);
    const links = shownNumbers(page, pages).map((number) => ({ number, url: to(number), isCurrent: number === page }));
    const prev = page > 1 ? to(page - 1) : undefined;
    const next = page < pages ? to(page + 1) : undefined;
    const label = textOf(named.label) || "Pages";
    const values = { list, links, pages, page, prev, next, label };
    const print = () => paginationMarkup({ links, prev, next, label, className: named.class });
    yield* printReplaceable(run, "pagination", { values, print });
  },
};

/** The first, the last, and those around the present one. */
function shownNumbers(page: number, pages: number): number[] {
  const near = [1, page - 2, page - 1, page, page + 1, page + 2, pages];
  return [...new Set(near.filter((number) => number >= 1 && number <= pages))].sort((a, b) => a - b);
}

/** With the parameters that the page has read so far: no others change what it shows. */
function pageAddress(rendering: Rendering, parameter: string, number: number): string {
  const query = new URLSearchParams();
  for (const [name, value] of rendering.parameters)
    if (value !== undefined && name !== parameter) query.set(name, value);
  if (number > 1) query.set(parameter, String(number));
  const text = query.toString();
  return withPreview(rendering, text === "" ? rendering.request.path : `${rendering.request.path}?${text}`);
}

interface PaginationParts {
  links: readonly PageLink[];
  prev: string | undefined;
  next: string | undefined;
  label: string;
  className: unknown;
}

function paginationMarkup({ links, prev, next, label, className }: PaginationParts): string {
  const items: string[] = [];
  if (prev !== undefined) items.push(`<li><a${attributes({ href: prev, rel: "prev" })}>Previous</a></li>`);
  let before = 0;
  for (const { number, url, isCurrent } of links) {
    if (number > before + 1) items.push('<li aria-hidden="true">…</li>');
    const shown = isCurrent
      ? `<a${attributes({ href: url, "aria-current": "page" })}>${number}</a>`
      : `<a${attributes({ href: url, "aria-label": `Page ${number}` })}>${number}</a>`;
    items.push(`<li>${shown}</li>`);
    before = number;
  }
  if (next !== undefined) items.push(`<li><a${attributes({ href: next, rel: "next" })}>Next</a></li>`);
  return `<nav${attributes({ "aria-label": label, class: className ?? "pagination" })}><ul>${items.join("")}</ul></nav>`;
}

export interface Crumb {
  title: string;
  url: string;
  isCurrent: boolean;
}

/** From the home page to this one; an object stands below the page of its collection. */
export async function breadcrumbs(rendering: Rendering, object: unknown): Promise<Crumb[]> {
  const { values, request } = rendering;
  const pages = await listPages(rendering);
  const meta = findObjectMeta(object);
  const isBound = meta !== undefined && textOf(values.page?.route).includes("{");
  const above = values.page ?? nearestPage(pages, request.path);
  const trail = above ? trailOf(above, pages) : [];
  const home = pages.find(({ route }) => route === "/");
  const records = home && !trail.some(({ id }) => id === home.id) ? [home, ...trail] : trail;
  const crumbs = records.map((record) => ({
    title: textOf(record.navTitle) || textOf(record.title),
    url: withPreview(rendering, textOf(record.url) || routeOf(record)),
    isCurrent: false,
  }));
  if (meta && isBound) crumbs.pop();
  if (meta) crumbs.push({ title: titleOf(object), url: withPreview(rendering, request.path), isCurrent: false });
  const last = crumbs.at(-1);
  if (last) last.isCurrent = true;
  return crumbs.filter(({ title }) => title !== "");
}

/** The longest route above the path. */
function nearestPage(pages: readonly JsonObject[], path: string): JsonObject | undefined {
  const above = pages.filter((page) => routeOf(page) !== "" && path.startsWith(`${routeOf(page).replace(/\/$/, "")}/`));
  return above.sort((a, b) => routeOf(b).length - routeOf(a).length)[0];
}

export function titleOf(value: unknown): string {
  const record = (value ?? {}) as Record<string, unknown>;
  for (const name of ["title", "name", "label"]) {
    const text = Object.hasOwn(record, name) ? textOf(record[name]) : "";
    if (text !== "") return text;
  }
  return findObjectMeta(value)?.recorded.id ?? "";
}

const breadcrumbsTag: SiteTag<Arguments> = {
  parse: (source) => source.readArguments(["label", "class"]),
  *render(args, run) {
    const { named } = yield* run.arguments(args);
    const object: unknown = yield (run.context.globals as { object?: unknown }).object;
    const crumbs = (yield breadcrumbs(run.rendering, object)) as Crumb[];
    if (crumbs.length < 2) return;
    const label = textOf(named.label) || "Breadcrumbs";
    const items = crumbs.map(({ title, url, isCurrent }) => {
      const link = attributes({ href: url === "" ? undefined : url, "aria-current": isCurrent ? "page" : undefined });
      return `<li><a${link}>${escapeHtml(title)}</a></li>`;
    });
    const start = attributes({ "aria-label": label, class: named.class ?? "breadcrumbs" });
    const print = () => `<nav${start}><ol>${items.join("")}</ol></nav>`;
    yield* printReplaceable(run, "breadcrumbs", { values: { crumbs, label }, print });
  },
};

/** Addresses of this page in other languages; none while the site has one address for all. */
const alternatesTag: SiteTag<Arguments> = {
  parse: (source) => source.readArguments([]),
  *render(_args, run) {
    yield* printReplaceable(run, "alternates", { values: { alternates: [] }, print: () => "" });
  },
};

registerTag("nav", navTag);
registerTag("pagination", paginationTag);
registerTag("breadcrumbs", breadcrumbsTag);
registerTag("alternates", alternatesTag);
