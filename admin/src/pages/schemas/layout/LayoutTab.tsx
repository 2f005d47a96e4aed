// The layout of a schema's form: drawn, as text, and as the form that it makes. The text is what is stored; all show the same.

import { Heading, Minus, Plus, Rows3, SquareDashed } from "lucide-react";
import { Suspense, useDeferredValue, useMemo, useState } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import { shownProperties } from "#fields/property.ts";
import type { SchemaDraft } from "#pages/schemas/draft.ts";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { schemaLayoutWords } from "#words/schema-layout.ts";
import { DrawnLayout } from "./DrawnLayout.tsx";
import { addLine, placeAtEnd, renameLine } from "./edit.ts";
import { FormPreview } from "./FormPreview.tsx";
import css from "./layout.module.css";
import { type LayoutProblem, notPlaced, problemsOf, readLayout } from "./model.ts";
import { TitleDialog } from "./TitleDialog.tsx";

interface Props {
  draft: SchemaDraft;
  onChange: (layoutText: string) => void;
  isReadOnly: boolean;
}

/** A title that is asked for: of a new line, or of one that is there. */
type Asked = { kind: "heading" | "fieldset"; line?: number };

export function LayoutTab({ draft, onChange, isReadOnly }: Props) {
  const words = useWords(schemaLayoutWords);
  const text = draft.record.formgrid ?? "";
  const properties = useMemo(() => shownProperties(draft.flat, true), [draft.flat]);
  const names = useMemo(() => properties.map(({ name }) => name), [properties]);
  const labels = useMemo(() => new Map(properties.map(({ name, label }) => [name, label])), [properties]);
  const known = useMemo(() => Object.keys(draft.flat.properties), [draft.flat]);
  const [line, setLine] = useState<number>();
  const [asked, setAsked] = useState<Asked>();
  const rest = notPlaced(text, names);
  const problems = useMemo(
    () => problemsOf(text, known).map((each) => ({ line: each.line + 1, message: messageOf(words, each) })),
    [text, known, words],
  );
  const shown = useDeferredValue(text);
  const [first] = problems;
  const answer = (title: string) => {
    if (!asked) return;
    const { kind } = asked;
    onChange(
      (asked.line === undefined ? undefined : renameLine(text, asked.line, title)) ??
        addLine(text, line, { kind, title }),
    );
    setAsked(undefined);
  };
  return (
    <div className={css.tab}>
      <div className={css.both}>
        <Slab as="section" className={css.drawnSlab}>
          {!isReadOnly && (
            <div className={css.bar}>
              <Button icon={Rows3} onPress={() => onChange(addLine(text, line, { kind: "row" }))}>
                {words.addRow}
              </Button>
              <Button icon={Heading} onPress={() => setAsked({ kind: "heading" })}>
                {words.addHeading}
              </Button>
              <Button icon={Minus} onPress={() => onChange(addLine(text, line, { kind: "divider" }))}>
                {words.addDivider}
              </Button>
              <Button icon={SquareDashed} onPress={() => setAsked({ kind: "fieldset" })}>
                {words.addFieldset}
              </Button>
            </div>
          )}
          {text.trim() === "" ? (
            <EmptyState
              title={words.nothingPlaced}
              text={words.nothingPlacedText}
              action={
                !isReadOnly &&
                names.length > 0 && <Button onPress={() => onChange(placeAtEnd(text, names))}>{words.placeAll}</Button>
              }
            />
          ) : (
            <>
              <DrawnLayout
                {...{ text, labels, isReadOnly, onChange }}
                onLine={setLine}
                onTitle={(at) => setAsked({ kind: kindAt(text, at), line: at })}
              />
              {!isReadOnly && <p className={css.hint}>{words.help}</p>}
            </>
          )}
        </Slab>
        <div className={css.side}>
          <Suspense fallback={<Skeleton height="12rem" />}>
            <CodeEditor
              label={words.text}
              description={words.textHelp}
              value={text}
              onChange={onChange}
              language="text"
              problems={problems}
              error={first && words.atLine(first.line, first.message)}
              isReadOnly={isReadOnly}
              rows={8}
            />
          </Suspense>
          <NotPlaced
            names={rest}
            labels={labels}
            isReadOnly={isReadOnly}
            onPlace={(some) => onChange(placeAtEnd(text, some))}
          />
        </div>
      </div>
      <Slab>
        <FormPreview draft={draft} formgrid={shown} />
      </Slab>
      {asked && (
        <TitleDialog
          heading={asked.kind === "heading" ? words.headingTitle : words.fieldsetTitle}
          title={asked.line === undefined ? "" : titleAt(text, asked.line)}
          action={asked.line === undefined ? words.add : words.apply}
          onDone={answer}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

interface NotPlacedProps {
  names: readonly string[];
  labels: ReadonlyMap<string, string>;
  isReadOnly: boolean;
  onPlace: (names: readonly string[]) => void;
}

function NotPlaced({ names, labels, isReadOnly, onPlace }: NotPlacedProps) {
  const words = useWords(schemaLayoutWords);
  return (
    <section className={css.rest} aria-label={words.notPlaced}>
      <h2 className={css.title}>{words.notPlaced}</h2>
      <p className={css.hint}>{names.length === 0 ? words.allPlaced : words.notPlacedHelp}</p>
      {names.length > 0 && (
        <ul className={css.restList} aria-label={words.notPlaced}>
          {names.map((name) => (
            <li key={name} className={css.restItem}>
              <span className={css.names}>
                <span className={css.label}>{labels.get(name)}</span>
                <code className={css.name}>{name}</code>
              </span>
              {!isReadOnly && (
                <Button variant="quiet" icon={Plus} aria-label={words.place(name)} onPress={() => onPlace([name])}>
                  {words.placeShort}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function kindAt(text: string, at: number): Asked["kind"] {
  return readLayout(text).lines[at]?.kind === "open" ? "fieldset" : "heading";
}

function titleAt(text: string, at: number): string {
  const line = readLayout(text).lines[at];
  return line?.kind === "heading" ? line.title : line?.kind === "open" ? line.legend : "";
}

function messageOf({ problems }: (typeof schemaLayoutWords)["en"], found: LayoutProblem): string {
  return "name" in found ? problems[found.problem](found.name) : problems[found.problem];
}
