// Writes nodes as HTML. Pure: it needs no browser, and what stands in the page plays no part.

import type { Mark, Node } from "@tiptap/pm/model";
import type { Kept } from "./attributes.ts";
import { voidTags } from "./tags.ts";

const marks: Readonly<Record<string, string>> = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strike: "s",
  code: "code",
  link: "a",
};

/** Of the top level: a line of text becomes a paragraph. */
export function writeBlock(node: Node): string {
  return isLine(node) ? element("p", node.attrs.keep, writeWords(node)) : writeNode(node);
}

function isLine(node: Node): boolean {
  return node.type.name === "paragraph" && (node.attrs.tag === "none" || node.attrs.tag === null);
}

function writeNode(node: Node): string {
  const { keep, tag } = node.attrs as { keep: Kept; tag: string | null };
  switch (node.type.name) {
    case "paragraph":
      return tag === "none" ? writeWords(node) : element(tag ?? "p", keep, writeWords(node));
    case "heading":
      return element(`h${node.attrs.level}`, keep, writeWords(node));
    case "bulletList":
      return element("ul", keep, writeAll(node));
    case "orderedList":
      return element("ol", withStart(keep, node.attrs.start), writeAll(node));
    case "listItem":
      return element("li", keep, writeAll(node));
    case "blockquote":
      return element("blockquote", keep, writeAll(node));
    case "container":
      return element(tag ?? "div", keep, writeAll(node));
    case "codeBlock":
      return writeCode(node);
    case "horizontalRule":
      return element("hr", keep, "");
    case "table":
      return element("table", keep, (node.attrs.head ?? "") + writeRows(node));
    case "tableRow":
      return element("tr", keep, writeAll(node));
    case "tableCell":
      return element("td", withSpans(keep, node), writeAll(node));
    case "tableHeader":
      return element("th", withSpans(keep, node), writeAll(node));
    case "htmlBlock":
      return String(node.attrs.html);
    default:
      throw new Error(`${node.type.name} is not known`);
  }
}

/** The blocks in a block. The first line of an item or a cell needs no paragraph, unless it had one. */
function writeAll(node: Node): string {
  const isItem = /^(?:listItem|tableCell|tableHeader)$/.test(node.type.name);
  let text = "";
  let isAfterLine = false;
  node.forEach((child, _, index) => {
    const next = index + 1 < node.childCount ? node.child(index + 1) : undefined;
    const isBare =
      isLine(child) &&
      !isAfterLine &&
      child.attrs.keep === null &&
      (child.attrs.tag === "none" || (isItem && index === 0 && next?.type.name !== "paragraph"));
    text += isBare
      ? writeWords(child)
      : isLine(child)
        ? element("p", child.attrs.keep, writeWords(child))
        : writeNode(child);
    isAfterLine = isBare;
  });
  return text;
}

function writeRows(table: Node): string {
  let text = "";
  let section = "";
  table.forEach((row) => {
    const own: string = row.attrs.section ?? (section || "tbody");
    if (own !== section) text += `${section && `</${section}>`}<${own}>`;
    section = own;
    text += writeNode(row);
  });
  return text + (section && `</${section}>`);
}

function writeCode(node: Node): string {
  const { keep, inner, language } = node.attrs as { keep: Kept; inner: Kept | false; language: string | null };
  const words = escapeText(node.textContent);
  // Parsers skip the first line break of the element.
  const first = words.startsWith("\n") ? "\n" : "";
  if (inner === false) return element("pre", keep, first + words);
  const known = inner ?? (language ? { class: `language-${language}` } : null);
  return element("pre", keep, element("code", known, words));
}

function withStart(keep: Kept, start: unknown): Kept {
  return keep === null && typeof start === "number" && start !== 1 ? { start: String(start) } : keep;
}

function withSpans(keep: Kept, { attrs }: Node): Kept {
  const all: Record<string, string> = { ...keep };
  for (const name of ["colspan", "rowspan"]) {
    const value = Number(attrs[name]);
    if (value === Number(all[name] ?? 1)) continue;
    if (value > 1) all[name] = String(value);
    else delete all[name];
  }
  return Object.keys(all).length === 0 ? null : all;
}

/** The text of a block with its marks: those that go on stay open. */
function writeWords(block: Node): string {
  let text = "";
  let open: readonly Mark[] = [];
  const closeTo = (count: number) => {
    for (const mark of open.slice(count).reverse()) text += `</${markTag(mark)}>`;
  };
  block.forEach((child) => {
    let same = 0;
    while (same < open.length && same < child.marks.length && open[same]?.eq(child.marks[same] as Mark)) same++;
    closeTo(same);
    for (const mark of child.marks.slice(same)) text += startTag(markTag(mark), mark.attrs.keep);
    open = child.marks;
    text += writeInline(child);
  });
  closeTo(0);
  return text;
}

function writeInline(node: Node): string {
  const { name } = node.type;
  if (name === "text") return escapeText(node.text ?? "");
  if (name === "hardBreak") return startTag("br", node.attrs.keep);
  if (name === "image") return startTag("img", node.attrs.keep);
  if (name === "inlineHtml") return String(node.attrs.html);
  throw new Error(`${name} is not known`);
}

function markTag({ type, attrs }: Mark): string {
  return attrs.tag ?? marks[type.name] ?? "span";
}

function element(tag: string, keep: Kept, inside: string): string {
  return voidTags.has(tag) ? startTag(tag, keep) : `${startTag(tag, keep)}${inside}</${tag}>`;
}

function startTag(tag: string, keep: Kept): string {
  const attributes = Object.entries(keep ?? {}).map(([name, value]) => ` ${name}="${escapeValue(value)}"`);
  return `<${tag}${attributes.join("")}${voidTags.has(tag) ? " />" : ">"}`;
}

export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function escapeValue(value: string): string {
  return escapeText(value).replaceAll('"', "&quot;");
}
