// What an import, or its dry run, did: counts, the first rows, and what was refused.

import type { ImportResult, TriedRow } from "@contract/imports.ts";
import type { Json } from "@contract/json.ts";
import { CircleCheck, CircleSlash, CircleX, Download, Pencil } from "lucide-react";
import { useId } from "react";
import { saveFile } from "#grid/bulk/export.ts";
import { UndoButton } from "#pages/undo/UndoButton.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import layout from "#ui/layout.module.css";
import { Notice } from "#ui/Notice.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { transferWords } from "#words/transfer.ts";
import { errorsCsv, problemsOf } from "./errors-csv.ts";
import css from "./transfer.module.css";

interface Props {
  /** Id of the collection, for the name of the file. */
  collection: string;
  result: ImportResult;
  /** What the numbers mean. */
  text: string;
}

export function ImportResultView({ collection, result, text }: Props) {
  const words = useWords(transferWords);
  const id = useId();
  const { created, updated, skipped, errorCount, ignored = [], rows = [], run } = result;
  return (
    <Slab as="section" className={css.result} aria-labelledby={id}>
      <h2 id={id} className={css.title}>
        {words.result}
      </h2>
      <div role="status" className={css.sum}>
        <p>{text}</p>
        <p className={layout.row}>
          <Badge tone={created > 0 ? "good" : "neutral"} icon={CircleCheck}>
            {words.created(created)}
          </Badge>
          <Badge tone={updated > 0 ? "good" : "neutral"} icon={Pencil}>
            {words.updated(updated)}
          </Badge>
          <Badge icon={CircleSlash}>{words.skipped(skipped)}</Badge>
          <Badge tone={errorCount > 0 ? "bad" : "neutral"} icon={CircleX}>
            {words.refused(errorCount)}
          </Badge>
        </p>
      </div>
      {ignored.length > 0 && (
        <Notice tone="warn" title={words.ignored(ignored.length)}>
          {ignored.map(({ name, meant }) => (meant === undefined ? name : words.meant(name, meant))).join(", ")}
        </Notice>
      )}
      {run !== undefined && created + updated > 0 && (
        <div>
          <UndoButton by={{ import: run }} name={words.thisImport} label={words.undoImport} />
        </div>
      )}
      {errorCount > 0 && <Errors collection={collection} result={result} />}
      {rows.length > 0 && <Preview rows={rows} total={created + updated + skipped + errorCount} />}
    </Slab>
  );
}

function Errors({ collection, result: { errors, errorCount } }: Pick<Props, "collection" | "result">) {
  const words = useWords(transferWords);
  const header = [words.row, words.id, words.property, words.problem];
  const save = () => {
    const address = URL.createObjectURL(new Blob([errorsCsv(header, errors)], { type: "text/csv" }));
    saveFile(address, `${collection}-refused.csv`);
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
  return (
    <div className={css.block}>
      <div className={css.line}>
        <h3 className={css.subtitle}>{words.errors}</h3>
        {errors.length < errorCount && (
          <span className={layout.quiet}>{words.errorsOf(errors.length, errorCount)}</span>
        )}
        <Button icon={Download} onPress={save} className={css.end}>
          {words.downloadErrors}
        </Button>
      </div>
      <Scroll label={words.errors}>
        <table className={css.table}>
          <Head names={[words.row, words.problem, words.id, words.property]} />
          <tbody>
            {problemsOf(errors).map(({ row, id, property, text }) => (
              <tr key={`${row} ${property}`}>
                <td className={css.number}>{row}</td>
                <td className={css.text}>{text}</td>
                <td className={css.mono}>{id}</td>
                <td className={css.mono}>{property}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </div>
  );
}

const mostColumns = 6;
const mostLetters = 80;

function Preview({ rows, total }: { rows: readonly TriedRow[]; total: number }) {
  const words = useWords(transferWords);
  const names = [...new Set(rows.flatMap(({ object = {} }) => Object.keys(object)))]
    .filter((name) => !["id", "created", "modified"].includes(name))
    .slice(0, mostColumns);
  return (
    <div className={css.block}>
      <div className={css.line}>
        <h3 className={css.subtitle}>{words.preview}</h3>
        {rows.length < total && <span className={layout.quiet}>{words.previewOf(rows.length, total)}</span>}
      </div>
      <Scroll label={words.preview}>
        <table className={css.table}>
          <Head names={[words.row, words.outcome, words.id, ...names]} />
          <tbody>
            {rows.map(({ row, done, id, object }) => (
              <tr key={row}>
                <td className={css.number}>{row}</td>
                <td>{words.done[done]}</td>
                <td className={css.mono}>{id}</td>
                {names.map((name) => (
                  <td key={name} className={css.value}>
                    {shortText(object?.[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </div>
  );
}

function Head({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Can be scrolled by keys, too. */
function Scroll({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={css.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

function shortText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text;
}
