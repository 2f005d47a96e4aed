// All entries that match, as a file. Very long logs are cut: the newest entries count.

import type { AuditEntry } from "@contract/audit.ts";
import { saveFile } from "#grid/bulk/export.ts";
import { csvOf } from "./csv.ts";
import type { Question } from "./question.ts";
import { fetchPage } from "./use-log.ts";

export const mostExported = 10_000;

export interface Exported {
  count: number;
  isCut: boolean;
}

export async function exportLog(question: Question, format: "json" | "csv"): Promise<Exported> {
  const entries: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await fetchPage(question, { cursor }, undefined);
    entries.push(...page.entries);
    cursor = page.cursor;
  } while (cursor !== undefined && entries.length < mostExported);
  const text = format === "csv" ? csvOf(entries) : `${JSON.stringify(entries, undefined, 2)}\n`;
  const type = format === "csv" ? "text/csv" : "application/json";
  const address = URL.createObjectURL(new Blob([text], { type }));
  saveFile(address, `${question.log}-log.${format}`);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return { count: entries.length, isCut: cursor !== undefined };
}
