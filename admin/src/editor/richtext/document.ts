// A stored text as a document, and back. A block that was not touched is written with the text that it was stored with, byte for byte;
// only what was changed is written by the editor. A block that the editor could not write again without loss is a block of HTML.

import type { Node, Schema } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { fixTables } from "@tiptap/pm/tables";
import { canonical } from "./canon.ts";
import { inertFragment, readBlocks } from "./read.ts";
import { type Segment, type SplitHtml, splitHtml } from "./split.ts";
import { writeBlock } from "./write.ts";

export interface OpenedText {
  lead: string;
  segments: readonly Segment[];
  /** As many as there are segments; one empty paragraph where there are none. */
  nodes: readonly Node[];
}

/** `known` answers with nodes that are there already for a text. */
export function openText(
  schema: Schema,
  html: string,
  known: (source: string) => Node | undefined = () => undefined,
): OpenedText {
  const { lead, segments } = checkedSplit(html);
  const nodes = segments.map(({ source }) => known(source) ?? readSegment(schema, source));
  return { lead, segments, nodes: nodes.length > 0 ? nodes : [schema.node("paragraph")] };
}

function checkedSplit(html: string): SplitHtml {
  const split = splitHtml(html);
  // Parts of a document that is not shown: in the document of the page they would load and run.
  const parts = inertFragment(split.lead);
  for (const { source, gap } of split.segments) parts.append(inertFragment(source), inertFragment(gap));
  parts.normalize();
  const whole = inertFragment(html);
  whole.normalize();
  // Blocks that mean something else when they stand alone stay together.
  return isSame(whole, parts) ? split : { lead: "", segments: [{ source: html, gap: "" }] };
}

function isSame(a: DocumentFragment, b: DocumentFragment): boolean {
  const others = b.childNodes;
  return (
    a.childNodes.length === others.length && [...a.childNodes].every((node, at) => node.isEqualNode(others[at] ?? null))
  );
}

export function readSegment(schema: Schema, source: string): Node {
  return readWhole(schema, source) ?? schema.node("htmlBlock", { html: source });
}

/** undefined: not without loss. */
function readWhole(schema: Schema, source: string): Node | undefined {
  const fragment = inertFragment(source);
  const [node, ...more] = readBlocks(schema, fragment);
  if (!node || more.length > 0 || node.type.name === "htmlBlock") return undefined;
  try {
    node.check();
  } catch {
    return undefined;
  }
  const isLine = node.type.name === "paragraph" && node.attrs.tag === "none";
  const written = canonical(inertFragment(writeBlock(node)));
  const stored = canonical(fragment);
  if (written !== (isLine ? `<p>${stored}</p>` : stored)) return undefined;
  return needsMending(schema, node) ? undefined : node;
}

/** Tables whose rows differ in length would be mended at the first change. */
function needsMending(schema: Schema, node: Node): boolean {
  let hasTable = false;
  node.descendants(({ type }) => {
    if (type.name === "table") hasTable = true;
    return !hasTable;
  });
  if (!hasTable && node.type.name !== "table") return false;
  const doc = schema.topNodeType.createAndFill(null, [node]);
  return !doc || fixTables(EditorState.create({ doc })) !== undefined;
}

interface Original extends Segment {
  node: Node;
}

/** Remembers what the blocks of a document were stored as. */
export class StoredText {
  #lead = "";
  #originals: Original[] = [];
  #places = new Map<Node, number>();
  readonly #written = new WeakMap<Node, string>();

  /** The document is now as stored: block for block. */
  remember(doc: Node, { lead, segments }: Pick<OpenedText, "lead" | "segments">): void {
    this.#lead = lead;
    this.#originals = segments.map((segment, at) => ({ ...segment, node: doc.child(at) }));
    this.#places = new Map(this.#originals.map(({ node }, at) => [node, at]));
  }

  nodeOf(source: string): Node | undefined {
    return this.#originals.find((original) => original.source === source)?.node;
  }

  /** The whole text. Blocks that are as they were have their own source, also when they were moved or changed back. */
  write(doc: Node): string {
    if (isEmptyText(doc, this.#originals)) return "";
    const blocks: { source: string; gap: string }[] = [];
    const children = doc.children;
    const places = children.map((node) => this.#places.get(node));
    const free = this.#originals.filter((_, at) => !places.includes(at));
    const separator = this.#originals.find(({ gap }) => gap !== "")?.gap.match(/^\s*/)?.[0] ?? "";
    let before = -1;
    for (let at = 0; at < children.length; at++) {
      const node = children[at] as Node;
      const place = places[at];
      const own = place === undefined ? undefined : this.#originals[place];
      if (own) {
        blocks.push(own);
        before = place as number;
        continue;
      }
      const restored = free.find((original) => original.node.eq(node));
      // What stands in the place of a stored block has what followed it.
      const replaced = restored ?? (places.includes(before + 1) ? undefined : this.#originals[before + 1]);
      const source = restored?.source ?? this.#writeOnce(node);
      if (replaced) {
        before = this.#originals.indexOf(replaced);
        // What followed the first of many blocks does not end the text.
        const isEnd = at + 1 === children.length && before + 1 < this.#originals.length;
        blocks.push({ source, gap: isEnd ? "" : replaced.gap });
        continue;
      }
      const last = blocks.at(-1);
      if (last?.gap === "") blocks[blocks.length - 1] = { source: last.source, gap: separator };
      blocks.push({ source, gap: at + 1 < children.length ? separator : "" });
    }
    return this.#lead + blocks.map(({ source, gap }) => source + gap).join("");
  }

  #writeOnce(node: Node): string {
    const known = this.#written.get(node) ?? writeBlock(node);
    this.#written.set(node, known);
    return known;
  }
}

/** One empty paragraph, or heading, that was not stored. */
function isEmptyText({ childCount, firstChild }: Node, originals: readonly Original[]): boolean {
  if (
    childCount !== 1 ||
    !firstChild ||
    !/^(?:paragraph|heading)$/.test(firstChild.type.name) ||
    firstChild.content.size > 0
  )
    return false;
  return !originals.some(({ node }) => node === firstChild || node.eq(firstChild));
}
