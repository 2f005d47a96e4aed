// A rich text: toolbar, text, words. The value is HTML; what is not touched is never written differently.

import type { JsonObject } from "@contract/json.ts";
import type { Node } from "@tiptap/pm/model";
import {
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { askUpload } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { classes } from "#ui/classes.ts";
import { describedBy, FieldFrame, labelId } from "#ui/FieldFrame.tsx";
import { useWords } from "#words/language.ts";
import { richtextWords } from "#words/richtext.ts";
import { htmlMistakes } from "./check-html.ts";
import { clipboardSerializer } from "./clipboard.ts";
import { setLink } from "./commands.ts";
import type { OpenDialog } from "./dialogs.tsx";
import { Engine, type Place } from "./engine.ts";
import { extensionsOf } from "./extensions.ts";
import { InsertMenu } from "./InsertMenu.tsx";
import { editEvent } from "./node-views.ts";
import { cleanPasted } from "./paste.ts";
import css from "./RichText.module.css";
import { Toolbar } from "./Toolbar.tsx";
import { type RichTextSettings, readSettings } from "./toolbar-config.ts";
import { type SendFile, Uploads } from "./uploads.ts";
import { useFullScreen } from "./use-full-screen.ts";

const EditorDialog = lazy(async () => ({ default: (await import("./dialogs.tsx")).EditorDialog }));

export interface RichTextProps {
  id: string;
  label: string;
  value: string;
  onChange: (html: string) => void;
  onBlur: () => void;
  description?: ReactNode;
  error?: string | undefined;
  extra?: ReactNode;
  isRequired?: boolean;
  isDisabled?: boolean;
  placeholder?: string | undefined;
  lang?: string | undefined;
  dir?: string | undefined;
  /** Of the property. */
  settings: JsonObject;
  /** Where its pictures go. */
  target: UploadTarget;
}

export interface UploadTarget {
  collection: string;
  /** undefined: it is not stored yet, and its files wait. */
  object: string | undefined;
  /** The top one. */
  property: string;
}

export function RichText(props: RichTextProps) {
  const { id, label, value, description, error, extra, isRequired, isDisabled = false } = props;
  const words = useWords(richtextWords);
  const settings = useMemo(() => readSettings(props.settings), [props.settings]);
  const latest = useRef(props);
  latest.current = props;
  const engineOf = useRef<Engine>(undefined);
  const host = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [engine, setEngine] = useState<Engine>();
  const [dialog, setDialog] = useState<OpenDialog>();
  const [isCodeView, setIsCodeView] = useState(false);
  const [isFull, setIsFull] = useFullScreen(frame);
  const open = useCallback((next: OpenDialog) => setDialog(next), []);
  const [uploads] = useState(() => new Uploads(words));

  // biome-ignore lint/correctness/useExhaustiveDependencies: an editor is made once; what changes later is handed to it below
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const made: Engine = new Engine({
      element: host.current,
      html: latest.current.value,
      extensions: [
        uploads.extension,
        ...extensionsOf({
          levels: settings.levels,
          words,
        }),
      ],
      props: {
        transformPastedHTML: (html) =>
          cleanPasted(html, { levels: settings.levels, isPlain: settings.pasteAsPlainText }),
        handlePaste: (_view, event) => pasteAddress(made, event),
        handleKeyDown: (_view, event) => {
          if (made.onMenuKey?.(event)) return true;
          if (event.key === "F10" && event.altKey) {
            frame.current?.querySelector<HTMLElement>("[role=toolbar] button:not([tabindex])")?.focus();
            return true;
          }
          const isLink = (event.ctrlKey || event.metaKey) && event.shiftKey && event.key.toLowerCase() === "k";
          if (isLink) open({ kind: "link" });
          return isLink;
        },
      },
      attributes: ({ doc }) => ({
        ...attributesOf(latest.current),
        "aria-placeholder": latest.current.placeholder || words.placeholder,
        ...(isEmpty(doc) && { "data-empty": "" }),
        ...engineOf.current?.menuAttributes,
      }),
      isEditable: !latest.current.isDisabled,
      onHtml: (html) => latest.current.onChange(html),
      onBlur: () => latest.current.onBlur(),
    });
    const edit = (event: Event) => {
      const pos = (event as CustomEvent<number>).detail;
      const isImage = made.editor.state.doc.nodeAt(pos)?.type.name === "image";
      open(isImage ? { kind: "image" } : { kind: "html", pos });
    };
    made.editor.view.dom.addEventListener(editEvent, edit);
    made.editor.view.setProps({ clipboardSerializer: clipboardSerializer(made.editor.schema) });
    engineOf.current = made;
    setEngine(made);
    return () => made.destroy();
  }, []);

  // What the form holds may come from elsewhere: an undo, a merge, the server's answer.
  // At once: later it could be older than what is typed meanwhile.
  useLayoutEffect(() => {
    if (!isCodeView) engine?.setHtml(value);
  }, [engine, value, isCodeView]);
  useEffect(() => {
    if (engine && engine.editor.options.editable === isDisabled) engine.editor.setEditable(!isDisabled, false);
  }, [engine, isDisabled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the attributes of the text follow these
  useEffect(() => {
    engine?.editor.view.setProps({});
  }, [engine, error, description, isRequired, label]);

  const { collection, object, property } = props.target;
  useEffect(() => {
    if (engine) uploads.setSend(senderOf({ collection, object, property }));
  }, [engine, uploads, collection, object, property]);
  /** An input of its own: the field's is the text. */
  const chooseFiles = useCallback(
    (accept: string, alt = "") => {
      const input = document.createElement("input");
      input.type = "file";
      input.accept = accept;
      input.multiple = true;
      input.addEventListener("change", () => uploads.add([...(input.files ?? [])], { alt }));
      input.click();
    },
    [uploads],
  );

  const toText = () => engine?.editor.commands.focus();
  const toggleCode = useCallback(() => {
    engine?.flush();
    setIsCodeView((before) => !before);
  }, [engine]);
  const toggleFull = useCallback(() => setIsFull(!isFull), [isFull, setIsFull]);
  return (
    <FieldFrame
      label={label}
      htmlFor={id}
      isGroup
      help={description}
      error={error}
      isRequired={isRequired}
      extra={extra}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Esc leaves the full screen from anywhere in it */}
      <div
        ref={frame}
        className={classes(css.frame, isFull && css.full, error && css.wrong, isDisabled && css.off)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !isFull || !frame.current?.contains(event.target as Element)) return;
          event.stopPropagation();
          setIsFull(false);
          toText();
        }}
      >
        {engine ? (
          <Bar
            engine={engine}
            id={id}
            label={label}
            isDisabled={isDisabled}
            settings={settings}
            isCodeView={isCodeView}
            isFull={isFull}
            onCodeView={toggleCode}
            onFull={toggleFull}
            onOpen={open}
            onFile={chooseFiles}
          />
        ) : (
          <div className={css.toolbar} />
        )}
        <div
          ref={host}
          hidden={isCodeView}
          className={css.host}
          style={{
            minBlockSize: `${settings.heightMin}px`,
            maxBlockSize: isFull ? undefined : `${settings.heightMax}px`,
          }}
        />
        {isCodeView && <CodeView {...props} minHeight={settings.heightMin} />}
        {engine && <Count engine={engine} settings={settings} />}
        {engine && <Inserting id={`${id}-insert`} engine={engine} settings={settings} onOpen={open} />}
      </div>
      {dialog && engine && (
        <Suspense>
          <EditorDialog
            dialog={dialog}
            editor={engine.editor}
            onClose={() => {
              setDialog(undefined);
              toText();
            }}
            onUpload={(alt) => {
              setDialog(undefined);
              chooseFiles("image/*", alt);
            }}
          />
        </Suspense>
      )}
    </FieldFrame>
  );
}

function isEmpty({ childCount, firstChild }: Node): boolean {
  return childCount === 1 && firstChild?.type.name === "paragraph" && firstChild.content.size === 0;
}

function attributesOf({
  id,
  label: _,
  isRequired,
  error,
  description,
  lang,
  dir,
}: RichTextProps): Record<string, string> {
  const described = describedBy(id, { help: description, error });
  return {
    id,
    role: "textbox",
    class: css.text ?? "",
    "aria-multiline": "true",
    "aria-labelledby": labelId(id),
    ...(described && { "aria-describedby": described }),
    ...(isRequired && { "aria-required": "true" }),
    ...(error && { "aria-invalid": "true" }),
    ...(lang && { lang }),
    ...(dir && { dir }),
  };
}

function usePlace(engine: Engine): Place {
  return useSyncExternalStore(engine.subscribe, () => engine.state().place);
}

interface BarProps {
  engine: Engine;
  id: string;
  label: string;
  isDisabled: boolean;
  settings: RichTextSettings;
  isCodeView: boolean;
  isFull: boolean;
  onCodeView: () => void;
  onFull: () => void;
  onOpen: (dialog: OpenDialog) => void;
  onFile: (accept: string) => void;
}

/** On its own: it renders when the cursor comes to something else, not with every change of the text. */
const Bar = memo(function Bar({ engine, id, ...rest }: BarProps) {
  const place = usePlace(engine);
  const leave = () => engine.editor.commands.focus();
  return <Toolbar {...rest} controls={id} editor={engine.editor} place={place} onLeave={leave} />;
});

function Inserting(props: Omit<Parameters<typeof InsertMenu>[0], "slash">) {
  const place = usePlace(props.engine);
  return <InsertMenu {...props} slash={place.slash} />;
}

/** An address that is pasted over words makes them a link. */
function pasteAddress({ editor }: Engine, { clipboardData }: ClipboardEvent): boolean {
  const text = clipboardData?.getData("text/plain").trim() ?? "";
  if (!/^https?:\/\/\S+$/i.test(text) || editor.state.selection.empty || editor.isActive("codeBlock")) return false;
  setLink(editor, { href: text, isNewTab: false });
  return true;
}

function senderOf({ collection, object, property }: UploadTarget): SendFile | undefined {
  if (object === undefined) return undefined;
  return async (file, onProgress, signal) => {
    const form = new FormData();
    form.append("file", file, file.name);
    const { data } = await askUpload<{ link: string }>(routes.uploadEditorFile, {
      path: { collection, id: object, property },
      form,
      onProgress: (sent) => onProgress(Math.min(1, sent / Math.max(1, file.size))),
      signal,
    });
    return data.link;
  };
}

function Count({ engine, settings }: { engine: Engine; settings: RichTextSettings }) {
  const words = useWords(richtextWords);
  const count = useSyncExternalStore(engine.subscribe, () => engine.state().count);
  const { maxWords, maxCharacters } = settings;
  if (!settings.hasWordCount && !settings.hasCharacterCount) return null;
  const part = (used: number, most: number | undefined, alone: string, of: (most: number) => string) => (
    <span className={most !== undefined && used > most ? css.over : undefined}>
      {most === undefined ? alone : of(most)}
    </span>
  );
  return (
    <div className={css.foot}>
      {settings.hasCharacterCount &&
        part(count.characters, maxCharacters, words.characters(count.characters), (most) =>
          words.charactersOf(count.characters, most),
        )}
      {settings.hasWordCount &&
        part(count.words, maxWords, words.words(count.words), (most) => words.wordsOf(count.words, most))}
    </div>
  );
}

/** The same value as text. */
function CodeView({
  value,
  onChange,
  onBlur,
  id,
  description,
  error,
  isRequired,
  isDisabled,
  minHeight,
}: RichTextProps & { minHeight: number }) {
  const words = useWords(richtextWords);
  const own = useId();
  const checked = useDeferredValue(value);
  const mistakes = useMemo(() => htmlMistakes(checked), [checked]);
  return (
    <>
      <textarea
        // The text behind it keeps the id of the field.
        id={own}
        className={css.source}
        style={{ minBlockSize: `${minHeight}px` }}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        disabled={isDisabled}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-labelledby={labelId(id)}
        aria-describedby={classes(describedBy(id, { help: description, error }), `${own}-mistakes`)}
        aria-required={isRequired || undefined}
        aria-invalid={error ? true : undefined}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the text that had the focus
        autoFocus
      />
      <div id={`${own}-mistakes`} role="status" className={css.mistakes}>
        {mistakes.map(({ kind, name, line }) => (
          <div key={`${kind} ${name} ${line}`}>{words.mistake[kind](name, line)}</div>
        ))}
      </div>
    </>
  );
}
