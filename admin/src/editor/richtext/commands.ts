// What the buttons, keys and menus do to the text.

import type { Editor } from "@tiptap/core";
import type { Mark, Node } from "@tiptap/pm/model";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import { type Kept, withAttribute, withStyle } from "./attributes.ts";
import { newTable } from "./blocks.ts";
import { inertFragment, readBlocks } from "./read.ts";

/** Words in a tag of their own: sub, sup, a span with a class. Pressed again, it is taken away. */
export function toggleInline(editor: Editor, tag: string, keep: Kept = null): void {
  const mark = editor.schema.mark("inline", { tag, keep });
  const { selection, tr, storedMarks } = editor.state;
  const { from, to, empty, $from } = selection;
  if (empty) {
    const marks = storedMarks ?? $from.marks();
    tr.setStoredMarks(mark.isInSet(marks) ? mark.removeFromSet(marks) : mark.addToSet(marks));
  } else if (isMarked(editor, mark)) tr.removeMark(from, to, mark);
  else tr.addMark(from, to, mark);
  editor.view.dispatch(tr);
}

function isMarked(editor: Editor, mark: Mark): boolean {
  const { from, to } = editor.state.selection;
  let isAll = true;
  editor.state.doc.nodesBetween(from, to, (node) => {
    if (node.isText && !mark.isInSet(node.marks)) isAll = false;
  });
  return isAll;
}

/** A style on the selected words; an empty value takes it away. */
export function setInlineStyle(editor: Editor, property: string, value: string): void {
  const { from, to } = editor.state.selection;
  const { tr, schema } = editor.state;
  editor.state.doc.nodesBetween(from, to, (node, pos) => {
    if (!node.isText) return;
    const start = Math.max(from, pos);
    const end = Math.min(to, pos + node.nodeSize);
    const present = node.marks.find(
      ({ type, attrs }) => type.name === "inline" && attrs.tag === "span" && attrs.keep?.style,
    );
    const keep = withStyle((present?.attrs.keep ?? null) as Kept, property, value);
    if (present) tr.removeMark(start, end, present);
    if (keep) tr.addMark(start, end, schema.mark("inline", { tag: "span", keep }));
  });
  editor.view.dispatch(tr);
}

/** Changes the attributes of every block of text in the selection. */
export function changeBlocks(editor: Editor, change: (keep: Kept) => Kept): void {
  const { from, to } = editor.state.selection;
  const { tr } = editor.state;
  editor.state.doc.nodesBetween(from, to, (node, pos) => {
    if (!node.isTextblock || node.type.name === "codeBlock") return;
    const keep = change(node.attrs.keep as Kept);
    const tag = node.type.name === "paragraph" && node.attrs.tag === "none" ? null : node.attrs.tag;
    tr.setNodeMarkup(pos, undefined, { ...node.attrs, keep, ...(node.type.name === "paragraph" && { tag }) });
  });
  editor.view.dispatch(tr);
}

/** By the attribute that the server keeps; a style is dropped unless the site allows it. */
export function setAlign(editor: Editor, align: string): void {
  changeBlocks(editor, (keep) => {
    const plain = withStyle(keep, "text-align", "");
    return withAttribute(plain, "align", align === "" ? undefined : align);
  });
}

export function toggleBlockClass(editor: Editor, name: string): void {
  changeBlocks(editor, (keep) => {
    const classes = (keep?.class ?? "").split(/\s+/).filter((one) => one !== "");
    const names = name.split(/\s+/);
    const isOn = names.every((one) => classes.includes(one));
    const next = isOn ? classes.filter((one) => !names.includes(one)) : [...new Set([...classes, ...names])];
    return withAttribute(keep, "class", next.length === 0 ? undefined : next.join(" "));
  });
}

/** Plain paragraphs without marks. Pictures and unknown HTML stay. */
export function clearFormatting(editor: Editor): void {
  editor.chain().unsetAllMarks().clearNodes().run();
  changeBlocks(editor, () => null);
}

export interface LinkData {
  href: string;
  isNewTab: boolean;
}

export function linkAt(editor: Editor): LinkData | undefined {
  const { $from, from, to, empty } = editor.state.selection;
  let found: Mark | undefined = $from.marks().find(({ type }) => type.name === "link");
  if (!found)
    editor.state.doc.nodesBetween(from, empty ? from : to, (node) => {
      found ??= node.marks.find(({ type }) => type.name === "link");
    });
  const keep = found?.attrs.keep as Kept | undefined;
  return keep ? { href: keep.href ?? "", isNewTab: keep.target === "_blank" } : undefined;
}

/** On the selected words, the link around the cursor, or as words of its own. */
export function setLink(editor: Editor, { href, isNewTab }: LinkData): void {
  const { state } = editor;
  const present = (state.selection.$from.marks().find(({ type }) => type.name === "link")?.attrs.keep ?? null) as Kept;
  let keep = withAttribute(present, "href", href);
  keep = withAttribute(keep, "target", isNewTab ? "_blank" : undefined);
  keep = withAttribute(keep, "rel", isNewTab ? "noopener" : undefined);
  if (state.selection.empty && !editor.isActive("link")) {
    const words = state.schema.text(href, [state.schema.mark("link", { keep })]);
    editor.view.dispatch(state.tr.replaceSelectionWith(words, false).scrollIntoView());
    return;
  }
  editor.chain().extendMarkRange("link").setMark("link", { keep }).run();
}

export function removeLink(editor: Editor): void {
  editor.chain().extendMarkRange("link").unsetMark("link").run();
}

export function selectedNode(editor: Editor): { node: Node; pos: number } | undefined {
  const { selection } = editor.state;
  return selection instanceof NodeSelection ? { node: selection.node, pos: selection.from } : undefined;
}

export interface PictureData {
  src: string;
  alt: string;
}

/** Changes the selected picture, or puts one where the cursor is. */
export function setImage(editor: Editor, { src, alt }: PictureData): void {
  const selected = selectedNode(editor);
  const isImage = selected?.node.type.name === "image";
  const keep = { ...(isImage ? (selected.node.attrs.keep as Kept) : null), src, alt };
  const image = editor.schema.node("image", { keep });
  const { tr } = editor.state;
  if (isImage) tr.setNodeMarkup(selected.pos, undefined, { ...selected.node.attrs, keep });
  else tr.replaceSelectionWith(image, false);
  editor.view.dispatch(tr.scrollIntoView());
}

/** HTML as blocks; `{content}` of a snippet stands for the selected words. */
export function insertHtml(editor: Editor, html: string): void {
  const { selection } = editor.state;
  const words = editor.state.doc.textBetween(selection.from, selection.to, " ");
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const blocks = readBlocks(editor.schema, inertFragment(html.replaceAll("{content}", () => escaped)));
  const [only] = blocks;
  const isLine = blocks.length === 1 && only?.type.name === "paragraph" && only.attrs.tag === "none";
  const content = isLine ? only.content.toJSON() : blocks.map((block) => block.toJSON());
  if (content !== null && content.length > 0) editor.chain().insertContent(content).run();
}

/** The cursor stands in its first cell. */
export function insertTable(editor: Editor): void {
  const { tr, schema, selection } = editor.state;
  const { $from } = selection;
  const isEmptyLine = $from.parent.type.name === "paragraph" && $from.parent.content.size === 0;
  const start = isEmptyLine ? $from.before() : $from.after();
  tr.replaceWith(start, isEmptyLine ? $from.after() : start, newTable(schema, 3, 3));
  editor.view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(start + 1))).scrollIntoView());
}

/** Of the selected block or piece of HTML. */
export function replaceHtml(editor: Editor, pos: number, html: string): void {
  const { state } = editor;
  const node = state.doc.nodeAt(pos);
  if (!node) return;
  const { tr } = state;
  if (html.trim() === "") tr.delete(pos, pos + node.nodeSize);
  else tr.setNodeMarkup(pos, undefined, { html });
  editor.view.dispatch(tr);
}
