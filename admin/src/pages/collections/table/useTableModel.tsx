// What a collection's table is made of: its columns as the grid draws them, and what it asks the server.

import type { AdminCollection, FormDescription, TablePreferences } from "@contract/admin.ts";
import { useMemo } from "react";
import type { TableState } from "#grid/address.ts";
import { cellOf } from "#grid/cells/registry.ts";
import {
  type Column,
  imageColumn,
  isNumeric,
  isSortable,
  offeredColumns,
  type Row,
  shownColumns,
  titleWidth,
  widthOf,
} from "#grid/columns.ts";
import type { GridColumn } from "#grid/grid-types.ts";
import { ObjectLink } from "#grid/ObjectLink.tsx";
import { type Question, questionOf, usualSortOf } from "#grid/question.ts";
import { localText } from "#grid/text-of.ts";
import { Badge } from "#ui/Badge.tsx";
import type { grid } from "#words/en/grid.ts";
import css from "./table.module.css";

export interface TableModel {
  /** All that are offered. */
  columns: Column[];
  shown: Column[];
  image: Column | undefined;
  titleProperty: string;
  hasDrafts: boolean;
  question: Question;
  nameOf: (row: Row) => string;
  gridColumns: GridColumn<Row>[];
}

interface Asked {
  collection: AdminCollection;
  form: FormDescription;
  state: TableState;
  preferences: TablePreferences;
  /** The columns while nobody has chosen others. */
  usual: string[] | undefined;
  words: typeof grid;
  hrefOf: (row: Row) => string;
  onOpen: (row: Row) => void;
}

export function useTableModel(asking: Asked): TableModel {
  const { collection, form, state, preferences, usual, words, hrefOf, onOpen } = asking;
  const { titleProperty } = form;
  const columns = useMemo(() => offeredColumns(form, words), [form, words]);
  const image = useMemo(() => imageColumn(columns), [columns]);
  const chosen = [state.columns, preferences.columns, usual].map((names) => names?.join(",")).join(" | ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `chosen` holds the names
  const shown = useMemo(
    () => shownColumns(columns, [state.columns, preferences.columns, usual], titleProperty),
    [columns, chosen, titleProperty],
  );
  const draft = columns.find(({ property, type }) => property === "draft" && type === "boolean");
  const { search, sort, filters } = state;
  const asked = JSON.stringify([search, sort, filters]);
  const usualSort = usualSortOf(collection, columns);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` holds search, sort and filters
  const question = useMemo(() => {
    const title = columns.filter(({ property }) => property === titleProperty);
    const extra = [draft, image].filter((column) => column?.isIndexed) as Column[];
    const needed = [...new Set([...shown, ...title, ...extra])];
    return questionOf({ collection: collection.id, state: { search, sort, filters }, usualSort, needed });
  }, [collection.id, columns, shown, draft, image, titleProperty, usualSort, asked]);

  const widths = JSON.stringify(preferences.widths ?? {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: `widths` holds them
  const gridColumns = useMemo(
    () => shown.map((column) => gridColumn(column, { titleProperty, preferences, words, hrefOf, onOpen })),
    [shown, titleProperty, widths, words, hrefOf, onOpen],
  );
  const nameOf = useMemo(() => (row: Row) => localText(row[titleProperty]) || row.id, [titleProperty]);
  return { columns, shown, image, titleProperty, hasDrafts: draft !== undefined, question, nameOf, gridColumns };
}

type Drawing = Pick<Asked, "preferences" | "words" | "hrefOf" | "onOpen"> & { titleProperty: string };

function gridColumn(column: Column, drawing: Drawing): GridColumn<Row> {
  const { titleProperty, preferences, words, hrefOf, onOpen } = drawing;
  const { property, label, type } = column;
  const isTitle = property === titleProperty;
  const Cell = cellOf(column);
  const kept = preferences.widths?.[property];
  return {
    id: property,
    label,
    width: isTitle ? (kept ?? titleWidth) : widthOf(column, preferences.widths),
    isFlexible: isTitle && kept === undefined,
    isSortable: isSortable(column),
    isNumeric: isNumeric(column),
    isLabelHidden: type === "image",
    render: (row, titleId) => {
      if (!isTitle) return <Cell value={row[property]} column={column} row={row} />;
      const title = localText(row[property]) || row.id;
      const link = (
        <ObjectLink id={titleId} href={hrefOf(row)} title={title} tabIndex={-1} onOpen={() => onOpen(row)} />
      );
      if (row.draft !== true) return link;
      return (
        <span className={css.titleCell}>
          {link}
          <Badge tone="warn">{words.draft}</Badge>
        </span>
      );
    },
  };
}
