// How the editor shows what is no text: pictures, and HTML that it does not know. Nothing of that HTML is put into the page: it is
// shown as text.

import type { NodeViewRenderer } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { Kept } from "./attributes.ts";
import css from "./RichText.module.css";

export interface ViewWords {
  html: string;
  htmlOf: (what: string) => string;
  edit: string;
  moveUp: string;
  moveDown: string;
  remove: string;
  picture: string;
  pictureElsewhere: (host: string) => string;
}

/** Asked of the component around the editor. */
export const editEvent = "cairn-edit-node";

export function askToEdit(view: EditorView, pos: number | undefined): void {
  if (pos === undefined) return;
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, pos)));
  view.dom.dispatchEvent(new CustomEvent(editEvent, { detail: pos }));
}

function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string | undefined,
  text?: string,
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** The first tag, which names the block: "iframe". */
function whatOf(html: string): string {
  return /^\s*<([a-z][\w-]*)/i.exec(html)?.[1]?.toLowerCase() ?? "";
}

/** Longer ones are cut: the dialog shows all. */
const maxShown = 2_000;

export function htmlBlockView(words: ViewWords): NodeViewRenderer {
  return ({ node, view, getPos }) => {
    const dom = make("div", css.html);
    dom.contentEditable = "false";
    const head = make("div", css.htmlHead);
    const name = make("span", css.htmlName);
    const code = make("code", css.htmlCode);
    const tools = make("span", css.htmlTools);
    const button = (label: string, run: () => void) => {
      const made = make("button", css.htmlButton, label);
      made.type = "button";
      made.addEventListener("click", run);
      tools.append(made);
      return made;
    };
    button(words.edit, () => askToEdit(view, getPos()));
    button(words.moveUp, () => moveBlock(view, getPos(), -1));
    button(words.moveDown, () => moveBlock(view, getPos(), 1));
    button(words.remove, () => {
      const pos = getPos();
      if (pos === undefined) return;
      view.dispatch(view.state.tr.delete(pos, pos + 1).scrollIntoView());
      view.focus();
    });
    const show = (shown: Node) => {
      const html = String(shown.attrs.html);
      const what = whatOf(html);
      name.textContent = what === "" ? words.html : words.htmlOf(what);
      code.textContent = html.length > maxShown ? `${html.slice(0, maxShown)}…` : html;
    };
    show(node);
    head.append(name, tools);
    dom.append(head, code);
    return {
      dom,
      update: (next) => {
        if (next.type !== node.type) return false;
        show(next);
        return true;
      },
      stopEvent: ({ target, type }) => target instanceof HTMLButtonElement && !type.startsWith("drag"),
      ignoreMutation: () => true,
    };
  };
}

/** Past the block before or after it. */
export function moveBlock(view: EditorView, pos: number | undefined, by: -1 | 1): boolean {
  if (pos === undefined) return false;
  const { state } = view;
  const node = state.doc.nodeAt(pos);
  const place = state.doc.resolve(pos);
  const index = place.index();
  const other = place.parent.maybeChild(index + by);
  if (!node || !other) return false;
  const target = by < 0 ? pos - other.nodeSize : pos + other.nodeSize;
  const tr = state.tr.delete(pos, pos + node.nodeSize).insert(target, node);
  view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, target)).scrollIntoView());
  return true;
}

export function inlineHtmlView(words: ViewWords): NodeViewRenderer {
  return ({ node, view, getPos }) => {
    const html = String(node.attrs.html);
    const dom = make("button", css.chip, whatOf(html) === "" ? words.html : `<${whatOf(html)}>`);
    dom.type = "button";
    dom.contentEditable = "false";
    dom.tabIndex = -1;
    dom.setAttribute("aria-label", words.htmlOf(whatOf(html)));
    dom.dataset.tip = html.slice(0, 300);
    dom.addEventListener("dblclick", () => askToEdit(view, getPos()));
    return { dom, ignoreMutation: () => true };
  };
}

/** Pictures of this site are shown. Those of others are not loaded: the page may not, and their sites would learn who edits. */
export function imageView(words: ViewWords): NodeViewRenderer {
  return ({ node, view, getPos }) => {
    const dom = make("span", css.picture);
    dom.contentEditable = "false";
    const show = (shown: Node) => {
      const keep = (shown.attrs.keep ?? {}) as NonNullable<Kept>;
      dom.replaceChildren(pictureOf(keep, words));
    };
    show(node);
    dom.addEventListener("dblclick", () => askToEdit(view, getPos()));
    return {
      dom,
      update: (next) => {
        if (next.type !== node.type) return false;
        show(next);
        return true;
      },
      ignoreMutation: () => true,
    };
  };
}

function pictureOf(keep: NonNullable<Kept>, words: ViewWords): HTMLElement {
  const address = URL.parse(keep.src ?? "", location.href);
  const isOwn = address?.origin === location.origin || /^data:image\/(?:png|jpeg|gif|webp|avif);/i.test(keep.src ?? "");
  if (!address || !isOwn) {
    const box = make("span", css.elsewhere, keep.alt || words.pictureElsewhere(address?.host ?? ""));
    box.role = "img";
    box.ariaLabel = keep.alt || words.picture;
    if (keep.src) box.dataset.tip = keep.src;
    return box;
  }
  const image = make("img", css.image);
  image.alt = keep.alt ?? "";
  for (const side of ["width", "height"] as const)
    if (/^\d{1,5}$/.test(keep[side] ?? "")) image[side] = Number(keep[side]);
  image.draggable = false;
  image.addEventListener("error", () => image.replaceWith(make("span", css.elsewhere, keep.alt || words.picture)));
  image.src = address.href;
  return image;
}
