// Text: escaping, stripping, shortening, words of the site's languages, obfuscated addresses.

import { slug } from "#base/ids.ts";
import { escapeHtml, htmlToText } from "#base/text.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { type FilterCall, registerFilter } from "#site/template/define.ts";
import { isMarkup, markup, storedMarkup, textOf } from "#site/template/html-value.ts";
import { findLanguage, pickLanguage } from "#site/template/localized-value.ts";
import { type Rendering, warn } from "#site/template/rendering.ts";
import { formatNumber } from "./numbers.ts";

const maxMarkup = 500_000;

/** Text as it is stored, however it would be printed. */
export function plainText(value: unknown): string {
  const text = textOf(value);
  return isMarkup(value) ? collapse(htmlToText(text)) : text;
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function checkLength(name: string, text: string): string {
  if (text.length > maxMarkup) throw new Error(`${name} takes texts of at most ${maxMarkup} characters`);
  return text;
}

function escaped(value: unknown, _args: readonly unknown[], { rendering }: FilterCall): unknown {
  const text = escapeHtml(textOf(value));
  return rendering.isMarkup ? markup(text) : text;
}

registerFilter("escape", escaped);
registerFilter("xml_escape", escaped);

/** Entities that are there already stay. */
registerFilter("escape_once", (value, _args, { rendering }) => {
  const text = escapeHtml(textOf(value)).replace(/&amp;(#\d+|#x[\da-f]+|[a-z]+);/gi, "&$1;");
  return rendering.isMarkup ? markup(text) : text;
});

registerFilter("strip_html", (value) => {
  const text = checkLength("strip_html", textOf(value));
  const visible = text.replace(
    /<(script|style)\b[^>]*>[^<]*(?:<(?!\/\1)[^<]*)*<\/\1>|<!--[^-]*(?:-(?!->)[^-]*)*-->/gi,
    "",
  );
  return htmlToText(visible.replace(/<br\s*\/?>/gi, " ")).trim();
});

/** Markup of editors in a plain text: only what the cleaner keeps. */
registerFilter("raw", (value, _args, { rendering }) => {
  if (isMarkup(value)) return value;
  return storedMarkup(checkLength("raw", textOf(value)), (html) => rendering.reader.clean(html));
});

registerFilter("newline_to_br", (value, _args, { rendering }) => {
  if (!rendering.isMarkup) return textOf(value);
  const html = isMarkup(value) ? value.markup() : escapeHtml(textOf(value));
  return markup(html.replace(/\r?\n/g, "<br>\n"));
});

registerFilter("truncate_words", (value, [count, ending], _call) => {
  const most = Number(textOf(count) || 15);
  const words = plainText(value).split(/\s+/).filter(Boolean);
  return words.length <= most
    ? words.join(" ")
    : words.slice(0, most).join(" ") + (ending === undefined ? "…" : textOf(ending));
});

/** The beginning of a text, cut between words. */
export function excerptOf(text: string, length: number): string {
  const plain = collapse(text);
  if (plain.length <= length) return plain;
  const cut = plain.slice(0, length + 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > length / 2 ? cut.slice(0, space) : cut.slice(0, length)).replace(/[\s,;:.–-]+$/, "")}…`;
}

registerFilter("excerpt", (value, [length]) => {
  const text = checkLength("excerpt", textOf(value));
  return excerptOf(isMarkup(value) || text.includes("<") ? htmlToText(text) : text, Number(textOf(length) || 160));
});

registerFilter("slug", (value) => slug(plainText(value)));

registerFilter("initials", (value, [most]) => {
  const words = plainText(value)
    .split(/[\s-]+/)
    .filter(Boolean);
  const letters = words.map((word) => [...word][0]?.toLocaleUpperCase() ?? "");
  const count = Number(textOf(most) || 2);
  return letters.length <= count ? letters.join("") : [...letters.slice(0, count - 1), letters.at(-1)].join("");
});

/** `{{ n | pluralize: "walk", "walks" }}` prints the number and the word. */
registerFilter("pluralize", (value, [one, other], { rendering }) => {
  const count = Number(textOf(value)) || 0;
  const form = pluralForm(rendering.request.locale, count);
  const word = form === "one" ? textOf(one) : textOf(other ?? `${textOf(one)}s`);
  return `${formatNumber(count, rendering.request.locale)} ${word}`;
});

function pluralForm(locale: string, count: number): string {
  try {
    return new Intl.PluralRules(locale.replace("_", "-")).select(count);
  } catch {
    return count === 1 ? "one" : "other";
  }
}

/** As entities: readers of pages see it, simple collectors of addresses do not. */
registerFilter("obfuscate_email", (value, [label], { rendering }) => {
  const address = textOf(value).trim();
  if (!/^[^\s@<>"']+@[^\s@<>"']+$/.test(address) || !rendering.isMarkup) return address;
  const hide = (text: string) => [...text].map((letter) => `&#${letter.codePointAt(0)};`).join("");
  const shown = label === undefined ? hide(address) : escapeHtml(textOf(label));
  return markup(`<a href="${hide(`mailto:${address}`)}">${shown}</a>`);
});

/** The text of a key: in the language of the page, in the site's, else the key. */
registerFilter("t", async (value, args, { rendering, named }) => {
  const key = textOf(value);
  const { request, site, isDevelopment, isMarkup: asMarkup } = rendering;
  const count = named.count ?? args[0];
  for (const locale of new Set([request.locale, request.locale.split(/[-_]/)[0] ?? "", site.locale])) {
    const found = findWords(await rendering.reader.words(locale), key);
    const text = typeof found === "string" ? found : pickForm(found, locale, count);
    if (text !== undefined) return fillIn(text, { ...named, ...(count !== undefined && { count }) });
  }
  warn(rendering, `There is no text "${key}" in locales/${request.locale}.json.`);
  return isDevelopment && asMarkup ? markup(`<mark title="missing">${escapeHtml(key)}</mark>`) : key;
});

/** `menu.home`, as one key or as keys within keys. */
function findWords(words: JsonObject, key: string): unknown {
  if (Object.hasOwn(words, key)) return words[key];
  let at: unknown = words;
  for (const part of key.split(".")) {
    if (!isJsonObject(at as JsonObject) || !Object.hasOwn(at as JsonObject, part)) return undefined;
    at = (at as JsonObject)[part];
  }
  return at;
}

function pickForm(found: unknown, locale: string, count: unknown): string | undefined {
  if (!isJsonObject(found as JsonObject)) return undefined;
  const forms = found as JsonObject;
  const form = forms[pluralForm(locale, Number(textOf(count)) || 0)] ?? forms.other;
  return typeof form === "string" ? form : undefined;
}

/** `{name}` stands for an argument. */
function fillIn(text: string, named: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{\{?\s*([\w-]+)\s*\}?\}/g, (whole, name: string) =>
    Object.hasOwn(named, name) ? textOf(named[name]) : whole,
  );
}

registerFilter("localize", (value, [locale], { rendering }) => localizedText(rendering, value, locale));

function localizedText({ request }: Rendering, value: unknown, locale: unknown): unknown {
  const wanted = textOf(locale) || request.locale;
  const found = findLanguage(value, wanted);
  if (found !== undefined) return found;
  return isJsonObject(value as JsonObject) ? pickLanguage(value as JsonObject, wanted) : value;
}
