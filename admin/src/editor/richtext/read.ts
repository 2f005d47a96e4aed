// Reads elements into nodes without leaving anything out: what the editor does not know becomes a node that holds its HTML.

import type { Mark, Node, Schema } from "@tiptap/pm/model";
import { attributesOf, type Kept } from "./attributes.ts";
import { blockTags, frameTags, namedMarks, wordTags } from "./tags.ts";

/** A text in which nothing loads and nothing runs. */
export function inertFragment(html: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

type Inline = { text: string; marks: readonly Mark[] } | { node: Node };

const blockSelector = [...blockTags].join(",");
const blank = /^[ \t\n\r\f]*$/;
const spaces = /[ \t\n\r\f]+/g;

export function readBlocks(schema: Schema, parent: ParentNode): Node[] {
  const blocks: Node[] = [];
  let line: ChildNode[] = [];
  const endLine = () => {
    const block = readLine(schema, line);
    if (block) blocks.push(block);
    line = [];
  };
  for (const child of parent.childNodes) {
    if (!isElement(child) || !blockTags.has(child.localName)) {
      line.push(child);
      continue;
    }
    endLine();
    blocks.push(readBlock(schema, child));
  }
  endLine();
  return blocks;
}

/** Text that stands in no block of its own. An element alone that the editor does not know is a block of HTML. */
function readLine(schema: Schema, nodes: ChildNode[]): Node | undefined {
  const [only, ...more] = nodes.filter((node) => !isBlankText(node));
  if (!only) return undefined;
  if (more.length === 0 && isElement(only) && !isKnownWord(only) && !/^(?:br|img)$/.test(only.localName))
    return rawBlock(schema, only);
  return schema.node("paragraph", { tag: "none", keep: null }, readWords(schema, nodes));
}

function readBlock(schema: Schema, element: Element): Node {
  const tag = element.localName;
  const keep = attributesOf(element);
  const blocks = () => readBlocks(schema, element);
  const words = () => readWords(schema, [...element.childNodes]);
  if (element.namespaceURI !== "http://www.w3.org/1999/xhtml") return rawBlock(schema, element);
  if (tag === "p") return schema.node("paragraph", { tag, keep }, words());
  if (/^h[1-6]$/.test(tag)) return schema.node("heading", { level: Number(tag[1]), keep }, words());
  if (tag === "hr") return schema.node("horizontalRule", { keep });
  if (tag === "blockquote" && hasContent(element)) return schema.node("blockquote", { keep }, blocks());
  if (tag === "ul" || tag === "ol") return readList(schema, element, keep);
  if (tag === "pre") return readCode(schema, element, keep);
  if (tag === "table") return readTable(schema, element, keep);
  if (!frameTags.has(tag)) return rawBlock(schema, element);
  const hasBlocks = [...element.children].some((child) => blockTags.has(child.localName));
  if (hasBlocks) return schema.node("container", { tag, keep }, blocks());
  return schema.node("paragraph", { tag, keep }, words());
}

function readList(schema: Schema, element: Element, keep: Kept): Node {
  const items = [...element.children];
  const isPlain = items.length > 0 && items.every(({ localName }) => localName === "li") && hasOnlyElements(element);
  if (!isPlain) return rawBlock(schema, element);
  const nodes = items.map((item) => schema.node("listItem", { keep: attributesOf(item) }, inItem(schema, item)));
  return schema.node(element.localName === "ul" ? "bulletList" : "orderedList", { keep }, nodes);
}

/** Of an item or a cell: at least an empty line. */
function inItem(schema: Schema, element: Element): Node[] {
  const blocks = readBlocks(schema, element);
  return blocks.length > 0 ? blocks : [schema.node("paragraph", { tag: "none", keep: null })];
}

function readCode(schema: Schema, element: Element, keep: Kept): Node {
  const [code] = element.children;
  const isCode = code?.localName === "code" && element.childNodes.length === 1;
  const holder = isCode ? code : element;
  if ([...holder.childNodes].some((child) => child.nodeType !== 3)) return rawBlock(schema, element);
  const text = holder.textContent ?? "";
  const inner = isCode ? attributesOf(holder) : false;
  return schema.node("codeBlock", { keep, inner }, text === "" ? [] : [schema.text(text)]);
}

const sections = new Set(["thead", "tbody", "tfoot"]);

function readTable(schema: Schema, table: Element, keep: Kept): Node {
  if (table.parentElement?.closest("table") || !hasOnlyElements(table)) return rawBlock(schema, table);
  let head = "";
  const rows: Node[] = [];
  for (const part of table.children) {
    const tag = part.localName;
    if ((tag === "caption" || tag === "colgroup") && rows.length === 0) {
      head += part.outerHTML;
      continue;
    }
    const isPlain =
      sections.has(tag) && part.attributes.length === 0 && part.children.length > 0 && hasOnlyElements(part);
    if (!isPlain) return rawBlock(schema, table);
    for (const row of part.children) {
      const cells = [...row.children];
      const areCells = cells.length > 0 && cells.every(({ localName }) => /^t[dh]$/.test(localName));
      if (row.localName !== "tr" || !areCells || !hasOnlyElements(row)) return rawBlock(schema, table);
      const content = cells.map((cell) => readCell(schema, cell as HTMLTableCellElement));
      rows.push(schema.node("tableRow", { keep: attributesOf(row), section: tag }, content));
    }
  }
  return rows.length === 0 ? rawBlock(schema, table) : schema.node("table", { keep, head }, rows);
}

function readCell(schema: Schema, cell: HTMLTableCellElement): Node {
  const { colSpan: colspan, rowSpan: rowspan } = cell;
  const name = cell.localName === "th" ? "tableHeader" : "tableCell";
  return schema.node(name, { keep: attributesOf(cell), colspan, rowspan }, inItem(schema, cell));
}

function readWords(schema: Schema, nodes: readonly ChildNode[]): Node[] {
  const found: Inline[] = [];
  for (const node of nodes) collect(schema, node, [], found);
  return joinWords(schema, found);
}

function collect(schema: Schema, node: ChildNode, marks: readonly Mark[], found: Inline[]): void {
  if (node.nodeType === 3) {
    found.push({ text: node.nodeValue ?? "", marks });
    return;
  }
  if (!isElement(node)) {
    found.push({
      node: schema.node("inlineHtml", { html: new XMLSerializer().serializeToString(node) }, undefined, marks),
    });
    return;
  }
  const tag = node.localName;
  const keep = attributesOf(node);
  if (tag === "br") found.push({ node: schema.node("hardBreak", { keep }, undefined, marks) });
  else if (tag === "img") found.push({ node: schema.node("image", { keep }, undefined, marks) });
  else if (!isKnownWord(node))
    found.push({ node: schema.node("inlineHtml", { html: node.outerHTML }, undefined, marks) });
  else {
    const name = namedMarks[tag] ?? "inline";
    const mark = schema.mark(name, name === "link" ? { keep } : { tag, keep });
    const own = mark.addToSet(marks);
    for (const child of node.childNodes) collect(schema, child, own, found);
  }
}

/** White space as a browser shows it: one blank for many, none at the beginning, at the end and after a break. */
function joinWords(schema: Schema, found: readonly Inline[]): Node[] {
  const nodes: Node[] = [];
  let isAfterBlank = true;
  for (const part of found) {
    if ("node" in part) {
      nodes.push(part.node);
      isAfterBlank = part.node.type.name === "hardBreak";
      continue;
    }
    let text = part.text.replace(spaces, " ");
    if (isAfterBlank && text.startsWith(" ")) text = text.slice(1);
    if (text === "") continue;
    nodes.push(schema.text(text, part.marks));
    isAfterBlank = text.endsWith(" ");
  }
  const last = nodes.at(-1);
  if (last?.isText && last.text?.endsWith(" ")) {
    nodes.pop();
    const text = last.text.slice(0, -1);
    if (text !== "") nodes.push(schema.text(text, last.marks));
  }
  return nodes;
}

/** Words with a mark around them. One without words, or with blocks in it, is none. */
function isKnownWord(element: Element): boolean {
  if (!wordTags.has(element.localName) || element.namespaceURI !== "http://www.w3.org/1999/xhtml") return false;
  if (element.querySelector(blockSelector)) return false;
  const isEmpty = blank.test(element.textContent ?? "") && !element.querySelector("img, br");
  return !isEmpty || (element.attributes.length === 0 && element.childElementCount === 0);
}

function rawBlock(schema: Schema, element: Element): Node {
  return schema.node("htmlBlock", { html: element.outerHTML });
}

function hasContent(element: Element): boolean {
  return element.childElementCount > 0 || !blank.test(element.textContent ?? "");
}

/** No text between the elements, and no comment. */
function hasOnlyElements(element: Element): boolean {
  return [...element.childNodes].every((node) => isElement(node) || isBlankText(node));
}

function isBlankText(node: ChildNode): boolean {
  return node.nodeType === 3 && blank.test(node.nodeValue ?? "");
}

function isElement(node: ChildNode): node is Element & ChildNode {
  return node.nodeType === 1;
}
