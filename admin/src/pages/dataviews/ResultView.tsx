// The result of a data view, as a table where it is a list of objects, or as JSON.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import { useMemo, useState } from "react";
import { CodeText } from "#fields/code/CodeText.tsx";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { dataViewWords } from "#words/data-views.ts";
import { useWords } from "#words/language.ts";
import css from "./views.module.css";

const shownRows = 50;
const shownColumns = 10;

interface Props {
  /** Name of the table. */
  label: string;
  data: Json;
}

interface Row {
  number: number;
  values: JsonObject;
}

export function ResultView({ label, data }: Props) {
  const words = useWords(dataViewWords);
  const [look, setLook] = useState("table");
  const rows = useMemo(() => rowsOf(data), [data]);
  const text = useMemo(() => JSON.stringify(data, null, 2), [data]);
  const isTable = rows !== undefined && look === "table";
  return (
    <div className={css.result}>
      {rows ? (
        <RadioGroup
          label={words.resultAs}
          look="segments"
          value={look}
          onChange={setLook}
          options={[
            { value: "table", label: words.table },
            { value: "json", label: words.json },
          ]}
        />
      ) : (
        <p className={css.help}>{words.notATable}</p>
      )}
      {isTable ? (
        <>
          <p className={css.help}>
            {rows.length > shownRows ? words.firstRows(shownRows, rows.length) : words.rowCount(rows.length)}
          </p>
          {rows.length > 0 && <Table label={label} rows={rows.slice(0, shownRows)} />}
        </>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
        <section className={css.json} aria-label={`${label}, ${words.json}`} tabIndex={0}>
          <CodeText text={text} />
        </section>
      )}
    </div>
  );
}

function Table({ label, rows }: { label: string; rows: readonly Row[] }) {
  const words = useWords(dataViewWords);
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))].slice(0, shownColumns);
  return (
    <RecordGrid
      label={label}
      rows={rows}
      idOf={({ number }) => String(number)}
      nameOf={({ number }) => words.row(number)}
      columns={names.map((name) => ({
        id: name,
        label: name,
        cell: ({ values }: Row) => <span className={css.value}>{textOf(values[name])}</span>,
        ...(rows.every(({ values }) => typeof values[name] === "number") && { align: "end" as const }),
      }))}
    />
  );
}

function rowsOf(data: Json): Row[] | undefined {
  if (!Array.isArray(data) || !data.every((row) => isJsonObject(row))) return undefined;
  return data.map((values, at) => ({ number: at + 1, values: values as JsonObject }));
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
