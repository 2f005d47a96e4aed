// Cleans what is pasted: words, structure and links stay; what Word, Docs and web pages hang on to them does not.

import { inertFragment } from "./read.ts";

const dropped =
  "script, style, meta, link, title, head, xml, noscript, template, iframe, object, embed, form, svg, math";
const kept: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  img: ["src", "alt", "width", "height"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan", "scope"],
  ol: ["start"],
};
/** Tags that the editor reads; others give way to what is in them. */
const known = new Set(
  (
    "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code hr br table thead tbody tfoot tr td th a img b strong i em u s strike " +
    "del sub sup mark small kbd abbr cite q"
  ).split(" "),
);

export interface PasteOptions {
  /** Headings that are offered. */
  levels: readonly number[];
  isPlain: boolean;
}

export function cleanPasted(html: string, { levels, isPlain }: PasteOptions): string {
  // From this or another editor of the admin: nothing to clean.
  if (!isPlain && /data-pm-slice=/.test(html)) return html;
  const fragment = inertFragment(fragmentOf(html));
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
  for (const element of fragment.querySelectorAll(dropped)) element.remove();
  if (isPlain) return plainOf(fragment);
  joinWordLists(fragment);
  // From the inside: what is unwrapped leaves clean words.
  for (const element of [...fragment.querySelectorAll("*")].reverse()) cleanElement(element as HTMLElement, levels);
  const holder = document.createElement("template");
  holder.content.append(fragment);
  return holder.innerHTML;
}

/** Without what programs put around the copied part. */
function fragmentOf(html: string): string {
  const [, part] = /<!--\s*StartFragment\s*-->([\s\S]*?)<!--\s*EndFragment\s*-->/i.exec(html) ?? [];
  if (part !== undefined) return part;
  return html.replace(/^[\s\S]*<body[^>]*>/i, "").replace(/<\/body>[\s\S]*$/i, "");
}

function cleanElement(element: HTMLElement, levels: readonly number[]): void {
  const tag = element.localName;
  // Docs wraps all it copies in a bold that is not bold.
  const isNormal = /^(?:normal|400)$/.test(element.style.fontWeight);
  if (!known.has(tag) || ((tag === "b" || tag === "strong") && isNormal)) {
    wrapByStyle(element);
    if (tag === "div" && !element.querySelector("p, div, ul, ol, table, h1, h2, h3, h4, h5, h6, blockquote, pre"))
      rename(element, "p");
    else element.replaceWith(...element.childNodes);
    return;
  }
  if (tag === "img" && !/^(?:https?:|data:image\/|\/)/i.test(element.getAttribute("src") ?? "")) {
    element.remove();
    return;
  }
  if (tag === "a" && !/^(?:https?:|mailto:|tel:|\/|#(?!_))/i.test(element.getAttribute("href") ?? "")) {
    element.replaceWith(...element.childNodes);
    return;
  }
  wrapByStyle(element);
  for (const { name } of [...element.attributes]) if (!kept[tag]?.includes(name)) element.removeAttribute(name);
  const level = /^h([1-6])$/.exec(tag)?.[1];
  if (level && levels.length > 0 && !levels.includes(Number(level)))
    rename(element, `h${nearest(Number(level), levels)}`);
  const plain = { b: "strong", i: "em", strike: "s", del: "s" }[tag];
  if (plain) rename(element, plain);
  // Programs mark their empty lines by a blank that does not break.
  if (tag === "p" && element.childElementCount === 0 && /^[\s\u00a0]*$/.test(element.textContent ?? ""))
    element.remove();
}

/** What a style says of the words, as elements. */
function wrapByStyle(element: HTMLElement): void {
  const { fontWeight, fontStyle, textDecoration, textDecorationLine, verticalAlign } = element.style;
  const decoration = `${textDecoration} ${textDecorationLine}`;
  const isHeading = /^h[1-6]$/.test(element.localName);
  const tags = [
    (/^bold/.test(fontWeight) || Number(fontWeight) >= 600) && !isHeading && "strong",
    fontStyle === "italic" && "em",
    /underline/.test(decoration) && element.localName !== "a" && !element.closest("a") && "u",
    /line-through/.test(decoration) && "s",
    verticalAlign === "sub" && "sub",
    verticalAlign === "super" && "sup",
  ].filter((tag) => tag !== false);
  const isBlock = element.querySelector("p, div, ul, ol, table, h1, h2, h3, h4, h5, h6, blockquote, pre, li") !== null;
  if (isBlock || element.childNodes.length === 0) return;
  for (const tag of tags) {
    const around = element.ownerDocument.createElement(tag);
    around.append(...element.childNodes);
    element.append(around);
  }
}

/** Word writes items of lists as paragraphs with a sign before them. */
function joinWordLists(fragment: DocumentFragment): void {
  const items = [...fragment.querySelectorAll<HTMLElement>("p")].filter(
    (item) => /MsoListParagraph/.test(item.className) || /mso-list:\s*l\d/i.test(item.getAttribute("style") ?? ""),
  );
  const open: { list: HTMLElement; level: number }[] = [];
  let last: Element | undefined;
  for (const item of items) {
    const style = item.getAttribute("style") ?? "";
    const level = Number(/level(\d)/i.exec(style)?.[1] ?? 1);
    const sign = [...item.querySelectorAll<HTMLElement>("span")].find((span) =>
      /mso-list:\s*Ignore/i.test(span.getAttribute("style") ?? ""),
    );
    const isOrdered = /^\s*[\da-z]{1,4}[.)]/i.test(sign?.textContent ?? "");
    sign?.remove();
    if (!last || item.previousElementSibling !== last) open.length = 0;
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    if ((open.at(-1)?.level ?? 0) < level) {
      const list = item.ownerDocument.createElement(isOrdered ? "ol" : "ul");
      const parent = open.at(-1)?.list.lastElementChild;
      if (parent) parent.append(list);
      else item.before(list);
      open.push({ list, level });
    }
    const entry = item.ownerDocument.createElement("li");
    entry.append(...item.childNodes);
    open.at(-1)?.list.append(entry);
    item.remove();
    last = open[0]?.list;
  }
}

function rename(element: HTMLElement, tag: string): void {
  // In the document of what was pasted: in that of the page its pictures would be loaded.
  const made = element.ownerDocument.createElement(tag);
  made.append(...element.childNodes);
  element.replaceWith(made);
}

function nearest(level: number, levels: readonly number[]): number {
  return levels.reduce((best, one) => (Math.abs(one - level) < Math.abs(best - level) ? one : best));
}

/** Paragraphs of words alone. */
function plainOf(fragment: DocumentFragment): string {
  for (const element of fragment.querySelectorAll("br")) element.replaceWith("\n");
  for (const element of fragment.querySelectorAll("p, div, li, tr, h1, h2, h3, h4, h5, h6, blockquote, pre"))
    element.append("\n");
  const holder = document.createElement("div");
  for (const line of (fragment.textContent ?? "").split("\n")) {
    if (line.trim() === "") continue;
    const paragraph = document.createElement("p");
    paragraph.textContent = line.trim();
    holder.append(paragraph);
  }
  return holder.innerHTML;
}
