// The editor without React: opens a text, follows what is typed, and writes the text when there is time for it. A key press only changes
// the document; the text is written when the browser is idle, and at once when the field is left, a command is pressed or the page is
// hidden.

import { Editor, type Extensions } from "@tiptap/core";
import { redo, undo } from "@tiptap/pm/history";
import { Fragment, type Node } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import type { EditorProps } from "@tiptap/pm/view";
import { countText, type TextCount } from "./count.ts";
import { openText, StoredText } from "./document.ts";
import { type Slash, slashAt } from "./insert.ts";

/** In milliseconds. */
const writeDelay = 200;

export interface EngineOptions {
  element: HTMLElement;
  html: string;
  extensions: Extensions;
  props: EditorProps;
  attributes: (state: EditorState) => Record<string, string>;
  isEditable: boolean;
  onHtml: (html: string) => void;
  onBlur: () => void;
}

/** What the toolbar shows of the place of the cursor. */
export interface Place {
  marks: string[];
  /** Names of the nodes around it, from the outside. */
  around: string[];
  level: number;
  align: string;
  /** Name of a selected node. */
  selected: string;
  canUndo: boolean;
  canRedo: boolean;
  slash: Slash | undefined;
}

export interface EngineState {
  place: Place;
  count: TextCount;
}

export class Engine {
  readonly editor: Editor;
  /** Keys belong to the list that is open over the text, if it takes them. */
  onMenuKey: ((event: KeyboardEvent) => boolean) | undefined;
  /** What the list says of itself. */
  menuAttributes: Record<string, string> = {};
  readonly #options: EngineOptions;
  readonly #stored = new StoredText();
  readonly #listeners = new Set<() => void>();
  /** What the form knows. */
  #html: string;
  #isPending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #state: EngineState;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#html = options.html;
    this.editor = new Editor({
      element: options.element,
      injectCSS: false,
      extensions: options.extensions,
      editable: options.isEditable,
      editorProps: { ...options.props, attributes: options.attributes as never },
    });
    this.#show(options.html);
    this.#state = { place: this.#readPlace(), count: countText(this.editor.state.doc) };
    this.editor.on("transaction", ({ transaction }) => {
      if (transaction.docChanged && !transaction.getMeta(external)) this.#note();
      this.#update();
    });
    this.editor.on("blur", () => {
      this.flush();
      options.onBlur();
    });
    addEventListener("keydown", this.#onKey, { capture: true });
    for (const name of leaving) addEventListener(name, this.flush, { capture: true });
  }

  /** The text as it is now. */
  html(): string {
    return this.#isPending ? this.#stored.write(this.editor.state.doc) : this.#html;
  }

  /** Hands the text to the form, if it changed. */
  readonly flush = (): void => {
    const isPending = this.#isPending;
    this.#rest();
    if (!isPending) return;
    const html = this.#stored.write(this.editor.state.doc);
    if (html === this.#html) return;
    this.#html = html;
    this.#options.onHtml(html);
  };

  /**
   * The form has another text than it was given: a merge, an undo, what the server made of it. What was typed since the form
   * was last given a text is newer, and goes to the form instead.
   */
  setHtml(html: string): void {
    if (html === this.#html) return;
    const isTyped = this.#isPending && this.#stored.write(this.editor.state.doc) !== this.#html;
    if (isTyped) return;
    this.#rest();
    this.#html = html;
    this.#show(html);
    this.#update();
  }

  /** The list that is open over the text, and its chosen entry. */
  setActive(list: string | undefined, option: string | undefined): void {
    if (this.menuAttributes["aria-activedescendant"] === option || this.editor.isDestroyed) return;
    this.menuAttributes = list && option ? { "aria-controls": list, "aria-activedescendant": option } : {};
    this.editor.view.setProps({});
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  state = (): EngineState => this.#state;

  destroy(): void {
    this.flush();
    cancelAnimationFrame(this.#frame);
    removeEventListener("keydown", this.#onKey, { capture: true });
    for (const name of leaving) removeEventListener(name, this.flush, { capture: true });
    this.editor.destroy();
  }

  /** Before shortcuts of the page, which may save. */
  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey) this.flush();
  };

  /** Nothing waits to be handed over. */
  #rest(): void {
    this.#isPending = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #note(): void {
    this.#isPending = true;
    this.#timer ??= setTimeout(() => whenIdle(this.flush), writeDelay);
  }

  /** Only what differs is replaced, so that the cursor stays where it is. */
  #show(html: string): void {
    const { editor } = this;
    const { doc, schema, tr } = editor.state;
    const opened = openText(schema, html, (source) => this.#stored.nodeOf(source));
    const next = doc.copy(Fragment.from([...opened.nodes]));
    const start = doc.content.findDiffStart(next.content);
    if (start !== null) {
      const end = doc.content.findDiffEnd(next.content) as { a: number; b: number };
      // Where the same text stands on both sides, the ends may lie before the start.
      const overlap = Math.max(0, start - Math.min(end.a, end.b));
      tr.replace(start, end.a + overlap, next.slice(start, end.b + overlap));
      // A part of a block could not be replaced by a part of another kind of block.
      if (!tr.doc.eq(next)) {
        const whole = editor.state.tr.replaceWith(0, doc.content.size, [...opened.nodes]);
        editor.view.dispatch(whole.setMeta("addToHistory", false).setMeta(external, true));
      } else editor.view.dispatch(tr.setMeta("addToHistory", false).setMeta(external, true));
    }
    this.#stored.remember(editor.state.doc, opened);
  }

  #update(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      const place = sameAs(this.#state.place, this.#readPlace());
      const count = sameAs(this.#state.count, countText(this.editor.state.doc));
      if (place === this.#state.place && count === this.#state.count) return;
      this.#state = { place, count };
      for (const listener of this.#listeners) listener();
    });
  }

  #readPlace(): Place {
    const { state } = this.editor;
    const { selection } = state;
    const { $from, from, to, empty } = selection;
    const marks = empty ? (state.storedMarks ?? $from.marks()) : [];
    const found = new Set(marks.map(markName));
    if (!empty)
      state.doc.nodesBetween(from, Math.min(to, from + 2_000), (node) => {
        for (const mark of node.marks) found.add(markName(mark));
      });
    const around: string[] = [];
    for (let depth = 1; depth <= $from.depth; depth++) around.push($from.node(depth).type.name);
    const block = $from.parent;
    const selected = "node" in selection ? (selection.node as Node).type.name : "";
    return {
      marks: [...found],
      around,
      level: block.type.name === "heading" ? Number(block.attrs.level) : 0,
      align: String(block.attrs.keep?.align ?? ""),
      selected,
      canUndo: undo(state),
      canRedo: redo(state),
      slash: slashAt(this.editor),
    };
  }
}

/** The one before, where nothing of it changed: what shows it is not drawn again. */
function sameAs<T>(before: T, now: T): T {
  return JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

const external = "external";
const leaving = ["pagehide", "beforeunload", "visibilitychange"];

/** Words with a tag of their own are named by it. */
function markName({ type, attrs }: { type: { name: string }; attrs: Record<string, unknown> }): string {
  return type.name === "inline" ? String(attrs.tag) : type.name;
}

function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(run, { timeout: 300 });
  else run();
}
