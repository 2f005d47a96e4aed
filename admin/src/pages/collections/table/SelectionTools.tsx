// What can be done with the selected objects: set a property, export, delete.

import type { AdminCollection } from "@contract/admin.ts";
import type { Json, JsonObject } from "@contract/json.ts";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { filterBody, filterParams, type TableState } from "#grid/address.ts";
import { exportObjects, type Format } from "#grid/bulk/export.ts";
import { SelectionBar } from "#grid/bulk/SelectionBar.tsx";
import { type Target, useBulk } from "#grid/bulk/useBulk.ts";
import type { Column } from "#grid/columns.ts";
import { comparisonOf } from "#grid/filters.ts";
import { nothingSelected, selectAll } from "#grid/selection.ts";
import { patchRows, type Rows } from "#grid/useRows.ts";
import { hasValue } from "#grid/values.ts";
import { useCan } from "#session/start.ts";
import { toast } from "#ui/toast.ts";
import type { TableSelection } from "./useTableSelection.ts";

const EditDialog = lazy(() => import("#grid/bulk/EditDialog.tsx").then((part) => ({ default: part.EditDialog })));
const DeleteDialog = lazy(() => import("#grid/bulk/DeleteDialog.tsx").then((part) => ({ default: part.DeleteDialog })));

interface Props {
  collection: AdminCollection;
  columns: readonly Column[];
  state: TableState;
  rows: Rows;
  chosen: TableSelection;
}

export function SelectionTools({ collection, columns, state, rows, chosen }: Props) {
  const { id, name } = collection;
  const can = useCan();
  const client = useQueryClient();
  const bulk = useBulk({ id, name, hasUndo: collection.history === "full" });
  const [isEditing, setIsEditing] = useState(false);
  const { selection, setSelection, count } = chosen;
  const { search, filters } = state;
  const ids = [...selection.ids];
  const target: Target = {
    reach: selection.isAll
      ? { select: { ...(search.trim() !== "" && { search: search.trim() }), filter: filterBody(filters) } }
      : { ids },
    count,
  };
  const total = rows.total ?? 0;

  const apply = async ({ property }: Column, value: Json, reached: Target) => {
    const body: JsonObject = { [property]: value };
    const failed = await bulk({ operation: "patch", body }, reached);
    if (!reached.reach.ids) return;
    const isLeft = new Set(failed.map((failure) => failure.id));
    const done = ids.filter((one) => !isLeft.has(one));
    patchRows(client, id, done, body);
    await client.invalidateQueries({ queryKey: ["objects", id], refetchType: "none" });
    chosen.markChanged(done);
  };
  const deleteAll = async (reached: Target) => {
    await bulk({ operation: "delete" }, reached);
    setSelection(nothingSelected);
  };
  const countOthers = async (column: Column, value: Json, reached: Target) => {
    if (reached.reach.ids) return countOtherRows(rows, selection.ids, column, value);
    return countOtherMatches({ collection: id, state, count: reached.count }, column, value);
  };
  const download = (format: Format) => {
    exportObjects({ collection: id, format, search, filters, ...(!selection.isAll && { ids }) }).catch((error) =>
      toast.bad(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <>
      <SelectionBar
        count={count}
        matching={selection.isAll || count >= total ? undefined : total}
        onSelectAll={() => setSelection(selectAll())}
        onClear={() => setSelection(nothingSelected)}
        onEdit={can("update", { objects: id }) ? () => setIsEditing(true) : undefined}
        onDelete={can("delete", { objects: id }) ? chosen.askDelete : undefined}
        onExport={download}
      />
      <Suspense>
        {isEditing && (
          <EditDialog
            collection={id}
            columns={columns}
            target={target}
            countOthers={countOthers}
            onApply={apply}
            onClose={() => setIsEditing(false)}
          />
        )}
      </Suspense>
      {chosen.isDeleting && (
        <Suspense>
          <DeleteDialog
            target={target}
            hasTrash={collection.history === "full"}
            onDelete={deleteAll}
            onClose={chosen.endDelete}
          />
        </Suspense>
      )}
    </>
  );
}

/** Of rows that are held; undefined where one is not, or does not show the property. */
function countOtherRows(
  rows: Rows,
  ids: ReadonlySet<string>,
  { property, isIndexed }: Column,
  value: Json,
): number | undefined {
  const held = rows.loaded().filter((row) => ids.has(row.id));
  const isShown = isIndexed && rows.loaded().some((row) => Object.hasOwn(row, property));
  if (held.length < ids.size || !isShown) return undefined;
  return held.filter((row) => !hasValue(row[property], value)).length;
}

interface Matching {
  collection: string;
  state: TableState;
  count: number;
}

/** All that match without those that have the value: one quick question, where the property is indexed. */
async function countOtherMatches(
  { collection, state: { search, filters }, count }: Matching,
  { property, type, isIndexed }: Column,
  value: Json,
): Promise<number | undefined> {
  const isPlain = ["text", "number", "boolean"].includes(comparisonOf(type)) && typeof value !== "object";
  if (!isIndexed || !isPlain || value === "" || filters.some((filter) => filter.property === property))
    return undefined;
  // Text is compared without regard to case, and stars stand for anything.
  if (typeof value === "string" && /^\*|\*$|\|/.test(value)) return undefined;
  const query = {
    ...(search.trim() !== "" && { search: search.trim() }),
    ...filterParams([...filters, { property, operator: "eq", value: String(value) }]),
  };
  const { headers } = await ask(routes.query, { path: { collection }, query: { ...query, include: "id", limit: 1 } });
  return count - Number(headers.get("x-total-count"));
}
