// Files that are being sent: each holds its place in the text with its progress, and with Retry when it failed. They are not part of the
// document until they are stored, so that nothing unfinished is ever saved.

import { Extension } from "@tiptap/core";
import type { Node, Schema } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import css from "./RichText.module.css";

export interface UploadWords {
  uploading: (name: string) => string;
  waits: (name: string) => string;
  uploadFailed: (name: string, why: string) => string;
  retry: string;
  remove: string;
  noImage: string;
}

/** Answers with the address of the stored file. */
export type SendFile = (file: File, onProgress: (share: number) => void, signal: AbortSignal) => Promise<string>;

interface Upload {
  file: File;
  alt: string;
  dom: HTMLElement;
  /** Ends it. */
  abort: AbortController;
  isSending: boolean;
}

const key = new PluginKey<DecorationSet>("uploads");
type Change = { add: Decoration } | { remove: Upload };

export class Uploads {
  readonly extension: Extension;
  readonly #words: UploadWords;
  readonly #all = new Set<Upload>();
  #view: EditorView | undefined;
  /** Undefined while the object is not stored: files wait for it. */
  #send: SendFile | undefined;

  constructor(words: UploadWords) {
    this.#words = words;
    const plugin = new Plugin<DecorationSet>({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply(tr, set) {
          const moved = set.map(tr.mapping, tr.doc);
          const change = tr.getMeta(key) as Change | undefined;
          if (!change) return moved;
          if ("add" in change) return moved.add(tr.doc, [change.add]);
          return moved.remove(moved.find(undefined, undefined, (spec) => spec.upload === change.remove));
        },
      },
      props: {
        decorations: (state) => key.getState(state),
        handlePaste: (view, event) => this.#take(view, event.clipboardData, view.state.selection.from, event),
        handleDrop: (view, event) => {
          const pos = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
          return this.#take(view, event.dataTransfer, pos ?? view.state.selection.from, event);
        },
      },
      view: (view) => {
        this.#view = view;
        addEventListener("beforeunload", this.#warn);
        return {
          destroy: () => {
            removeEventListener("beforeunload", this.#warn);
            for (const { abort } of this.#all) abort.abort();
            this.#view = undefined;
          },
        };
      },
    });
    this.extension = Extension.create({ name: "uploads", addProseMirrorPlugins: () => [plugin] });
  }

  /** The object is stored, or is not: what waits is sent. */
  setSend(send: SendFile | undefined): void {
    this.#send = send;
    if (send) for (const upload of this.#all) if (!upload.isSending) void this.#start(upload);
  }

  /** At the place of the cursor. */
  add(files: readonly File[], { alt = "", pos }: { alt?: string; pos?: number } = {}): void {
    const view = this.#view;
    if (!view) return;
    for (const file of files) {
      const dom = document.createElement("span");
      dom.className = css.upload ?? "";
      dom.contentEditable = "false";
      const upload: Upload = { file, alt, dom, abort: new AbortController(), isSending: false };
      this.#all.add(upload);
      const at = Math.min(pos ?? view.state.selection.to, view.state.doc.content.size);
      const add = Decoration.widget(at, dom, { upload, side: 1, stopEvent: () => true, ignoreSelection: true });
      view.dispatch(view.state.tr.setMeta(key, { add }));
      void this.#start(upload);
    }
  }

  /** Files in what is pasted or dropped; text that comes with them counts more, unless it is only a picture. */
  #take(view: EditorView, data: DataTransfer | null, pos: number, event: Event): boolean {
    const files = [...(data?.files ?? [])];
    const html = data?.getData("text/html") ?? "";
    const hasText = html !== "" && !/^(?:\s|<meta[^>]*>|<!--.*?-->)*<img[^>]*>(?:\s|<!--.*?-->)*$/i.test(bodyOf(html));
    if (files.length === 0 || hasText || !view.editable) return false;
    event.preventDefault();
    this.add(files, { pos });
    return true;
  }

  async #start(upload: Upload): Promise<void> {
    const { file, dom, abort } = upload;
    const send = this.#send;
    if (!send) {
      this.#show(upload, this.#words.waits(file.name));
      return;
    }
    upload.isSending = true;
    const bar = document.createElement("progress");
    bar.max = 1;
    bar.ariaLabel = this.#words.uploading(file.name);
    this.#show(upload, this.#words.uploading(file.name), bar);
    try {
      const address = await send(
        file,
        (share) => {
          bar.value = share;
        },
        abort.signal,
      );
      if (abort.signal.aborted) return;
      this.#finish(upload, address);
    } catch (error) {
      if (abort.signal.aborted) return;
      upload.isSending = false;
      dom.classList.add(css.failed ?? "");
      const why = error instanceof Error ? error.message : "";
      this.#show(
        upload,
        this.#words.uploadFailed(file.name, why),
        this.#button(this.#words.retry, () => void this.#start(upload)),
      );
    }
  }

  #show(upload: Upload, text: string, ...more: HTMLElement[]): void {
    const { dom } = upload;
    if (more.some(({ localName }) => localName === "progress")) dom.classList.remove(css.failed ?? "");
    const words = document.createElement("span");
    words.role = "status";
    words.textContent = text;
    dom.replaceChildren(
      words,
      ...more,
      this.#button(this.#words.remove, () => this.#remove(upload)),
    );
  }

  #button(label: string, run: () => void): HTMLButtonElement {
    const made = document.createElement("button");
    made.type = "button";
    made.className = css.htmlButton ?? "";
    made.textContent = label;
    made.addEventListener("click", run);
    return made;
  }

  #remove(upload: Upload): void {
    upload.abort.abort();
    this.#all.delete(upload);
    this.#view?.dispatch(this.#view.state.tr.setMeta(key, { remove: upload }));
    this.#view?.focus();
  }

  /** Puts what was stored into its place. */
  #finish(upload: Upload, address: string): void {
    this.#all.delete(upload);
    const view = this.#view;
    if (!view) return;
    const [place] = key.getState(view.state)?.find(undefined, undefined, (spec) => spec.upload === upload) ?? [];
    const tr = view.state.tr.setMeta(key, { remove: upload });
    if (place) {
      const made = nodeFor(view.state.schema, upload.file, address, upload.alt);
      if (made.isInline || made.isText) tr.insert(place.from, made);
      else tr.insert(view.state.doc.resolve(place.from).after(1), made);
    }
    view.dispatch(tr);
  }

  readonly #warn = (event: BeforeUnloadEvent): void => {
    if ([...this.#all].some(({ isSending }) => isSending)) event.preventDefault();
  };
}

function nodeFor(schema: Schema, { name, type }: File, address: string, alt: string): Node {
  if (type.startsWith("image/")) return schema.node("image", { keep: { src: address, alt } });
  const kind = type.split("/")[0];
  if (kind === "video" || kind === "audio") {
    const source = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    return schema.node("htmlBlock", { html: `<${kind} controls src="${source}"></${kind}>` });
  }
  return schema.text(name, [schema.mark("link", { keep: { href: address } })]);
}

function bodyOf(html: string): string {
  return html.replace(/^[\s\S]*<body[^>]*>/i, "").replace(/<\/body>[\s\S]*$/i, "");
}
