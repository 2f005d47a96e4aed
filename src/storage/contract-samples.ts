// Objects for the contract suites, made without content/: storage is tested by itself.

import { foldCase, foldWords } from "#base/text.ts";
import type { FilterOperator } from "#contract/queries.ts";
import type { Storage } from "./port.ts";
import type { Comparison, Condition, Operand, Selection } from "./query/selection.ts";
import type { NewObject } from "./tables/object-row.ts";
import { insertObject } from "./tables/object-writes.ts";

export interface TestDatabase {
  /** Any number of instances on the same database, as of several processes. */
  open(): Promise<Storage>;
  /** For `openStorage`, in another process. */
  options: { dataDir: string; databaseUrl: string; databaseDirectUrl?: string; prepares?: boolean; role: "command" };
  remove(): Promise<void>;
}

export type Prepare = () => Promise<TestDatabase>;

type Properties = Record<string, string | number | boolean | string[]>;

export interface Sample {
  id: string;
  /** Indexed properties. */
  idx?: Properties;
  /** In the document alone. */
  more?: Properties;
  title?: string;
  body?: string;
  created?: string;
}

export function objectWrite(collection: string, { id, idx = {}, more = {}, title, body, created }: Sample): NewObject {
  const time = created ?? "2026-01-01T00:00:00.000Z";
  const draft = more.draft ?? idx.draft;
  return {
    collection,
    id,
    created: time,
    modified: time,
    schemaRev: "rev1",
    doc: JSON.stringify({ id, ...idx, ...more }),
    secrets: {},
    record: undefined,
    entry: {
      idx: JSON.stringify(idx),
      fold: JSON.stringify({ ...idx, ...(draft === true && { draft }) }, (_, value) =>
        typeof value === "string" ? foldCase(value) : value,
      ),
      title: foldWords(title ?? ""),
      body: foldWords([body ?? "", ...Object.values(idx).filter(Array.isArray).flat()].join(" ")),
    },
  };
}

export async function seed(db: Storage, collection: string, samples: Sample[]): Promise<void> {
  await db.write(async (tx) => {
    for (const sample of samples) await insertObject(tx, objectWrite(collection, sample));
  });
}

export function operand(property: string, comparison: Comparison, source: Operand["source"] = "index"): Operand {
  return { property, comparison, source };
}

export function where(on: Operand, operator: FilterOperator | "never", ...values: Condition["values"]): Condition {
  return { operand: on, operator, values };
}

export function selectionOf(collection: string, more: Partial<Selection> = {}): Selection {
  return { collection, include: [], exclude: [], hideDrafts: false, sort: [], ...more };
}

export const firstPage = { limit: 100, offset: 0 };
