// A field for code: line numbers, folding, search, mistakes at their lines. It is a textbox like any other, named by its label.

import { Compartment, EditorState, type Extension, Prec, Text } from "@codemirror/state";
import { EditorView, placeholder as placeholderOf } from "@codemirror/view";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { classes } from "#ui/classes.ts";
import control from "#ui/control.module.css";
import { describedBy, FieldFrame, frameOf, labelId } from "#ui/FieldFrame.tsx";
import { codeWords } from "#words/code.ts";
import { useWords } from "#words/language.ts";
import css from "./CodeEditor.module.css";
import type { CodeEditorProps } from "./code-props.ts";
import { baseExtensions, problemsIn, readOnlyState } from "./extensions.ts";
import { loadLanguage } from "./languages.ts";
import { changeBetween, lineBreakOf } from "./text-change.ts";

const noProblems: NonNullable<CodeEditorProps["problems"]> = [];

export function CodeEditorField(props: CodeEditorProps) {
  const { value, language, description, error, isRequired, isReadOnly, isDisabled, isLabelHidden } = props;
  const { placeholder = "", problems = noProblems, rows = 4, maxHeight = "60vh", actions } = props;
  const words = useWords(codeWords);
  const own = useId();
  const id = props.id ?? own;
  const hintId = `${id}-hint`;
  const isFixed = isReadOnly === true || isDisabled === true;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const [parts] = useState(createParts);

  const attributes: Record<string, string> = {
    id,
    ...(isLabelHidden ? { "aria-label": props.label } : { "aria-labelledby": labelId(id) }),
    "aria-describedby": classes(describedBy(id, { help: description, error }), !isFixed && hintId),
    ...(error && { "aria-invalid": "true" }),
    ...(isRequired && { "aria-required": "true" }),
    ...(isReadOnly && { "aria-readonly": "true" }),
    ...(isDisabled ? { "aria-disabled": "true" } : isReadOnly && { tabindex: "0" }),
  };
  const attributesKey = JSON.stringify(attributes);

  // One view for as long as the field is shown; changed props are handed to it.
  useLayoutEffect(() => {
    const parent = host.current;
    if (!parent) return undefined;
    const view = new EditorView({
      parent,
      state: EditorState.create({
        doc: Text.of(linesOf(latest.current.value)),
        extensions: [
          parts.breaks.of(breaksOf(latest.current.value)),
          parts.attributes.of([]),
          parts.placeholder.of([]),
          // Before the keys of the editor: Esc and Tab are said in the hint.
          parts.state.of([]),
          parts.language.of([]),
          parts.phrases.of([]),
          baseExtensions(),
          Prec.low(
            EditorView.updateListener.of((update) => {
              if (!update.docChanged) return;
              const text = update.state.sliceDoc();
              if (text === parts.text) return;
              parts.text = text;
              latest.current.onChange(text);
            }),
          ),
          EditorView.domEventHandlers({
            blur: () => latest.current.onBlur?.(),
            drop: (event) => takeFiles(event, event.dataTransfer, latest.current),
            paste: (event) => takeFiles(event, event.clipboardData, latest.current),
          }),
        ],
      }),
    });
    parts.text = latest.current.value;
    parts.view = view;
    return () => {
      parts.view = undefined;
      view.destroy();
    };
  }, [parts]);

  const tell = (compartment: Compartment, extension: Extension) =>
    parts.view?.dispatch({ effects: compartment.reconfigure(extension) });

  // biome-ignore lint/correctness/useExhaustiveDependencies: tell is the same for the same parts
  useLayoutEffect(() => tell(parts.phrases, EditorState.phrases.of(words.phrases)), [words, parts]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: by what they say
  useLayoutEffect(() => tell(parts.attributes, EditorView.contentAttributes.of(attributes)), [attributesKey, parts]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tell is the same for the same parts
  useLayoutEffect(() => tell(parts.state, readOnlyState(isFixed)), [isFixed, parts]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tell is the same for the same parts
  useEffect(() => tell(parts.placeholder, placeholderOf(placeholder)), [placeholder, parts]);

  useLayoutEffect(() => {
    const { view } = parts;
    if (!view || value === parts.text) return;
    parts.text = value;
    const change = changeBetween(view.state.doc.toString(), linesOf(value).join("\n"));
    view.dispatch({
      effects: parts.breaks.reconfigure(breaksOf(value)),
      ...(change && { changes: { ...change, insert: Text.of(change.insert.split("\n")) } }),
    });
  }, [value, parts]);

  useEffect(() => {
    let isWanted = true;
    void loadLanguage(language).then((extension) => {
      if (isWanted) parts.view?.dispatch({ effects: parts.language.reconfigure(extension) });
    });
    return () => {
      isWanted = false;
    };
  }, [language, parts]);

  useEffect(() => {
    if (parts.view) parts.view.dispatch(problemsIn(parts.view.state, problems));
  }, [problems, parts]);

  return (
    <FieldFrame {...frameOf(props)} htmlFor={id} isGroup>
      <div
        className={classes(
          control.box,
          css.box,
          Boolean(error) && control.wrong,
          isReadOnly && control.readOnly,
          isDisabled && control.off,
        )}
      >
        <div
          ref={host}
          className={css.host}
          style={{ "--code-min": `calc(${rows} * 1.25rem + 2 * var(--space-3))`, "--code-max": maxHeight } as object}
        />
        {(!isFixed || actions) && (
          <div className={css.foot}>
            {!isFixed && (
              <span id={hintId} className={css.hint}>
                {words.leaveHint}
              </span>
            )}
            <span className={css.language}>{words.languages[language]}</span>
            {actions}
          </div>
        )}
      </div>
    </FieldFrame>
  );
}

interface Parts {
  view: EditorView | undefined;
  /** As the page last heard of it. */
  text: string;
  attributes: Compartment;
  breaks: Compartment;
  language: Compartment;
  phrases: Compartment;
  placeholder: Compartment;
  state: Compartment;
}

function createParts(): Parts {
  const part = () => new Compartment();
  return {
    ...{ view: undefined, text: "" },
    ...{ attributes: part(), breaks: part(), language: part(), phrases: part(), placeholder: part(), state: part() },
  };
}

function breaksOf(text: string): Extension {
  const lineBreak = lineBreakOf(text);
  return lineBreak === undefined ? [] : EditorState.lineSeparator.of(lineBreak);
}

function linesOf(text: string): string[] {
  return text.split(lineBreakOf(text) ?? "\n");
}

/** True: they are taken, and the editor does nothing with them. */
function takeFiles(event: Event, source: DataTransfer | null, { onFiles, isReadOnly, isDisabled }: CodeEditorProps) {
  const files = [...(source?.files ?? [])];
  if (files.length === 0 || !onFiles || isReadOnly || isDisabled) return false;
  event.preventDefault();
  onFiles(files);
  return true;
}
