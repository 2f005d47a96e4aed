// collection:export, collection:import, object:export, deck:import: files in and out.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Call } from "#cli/call.ts";
import { escapeControls } from "#cli/output.ts";
import { withProgress } from "#cli/progress.ts";
import { one, writeOut } from "#cli/sink.ts";
import { UsageError } from "#cli/usage.ts";
import * as collections from "#content/collections/collections.ts";
import { getObject } from "#content/objects/objects.ts";
import type { ImportResult } from "#contract/imports.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import * as exports from "#transfer/export.ts";
import { importFile } from "#transfer/import.ts";
import { importDeck } from "#transfer/import-deck.ts";
import { type ImportFile, importFormats } from "#transfer/read-rows.ts";

interface ExportOptions {
  format?: string;
  include?: string;
  exclude?: string;
  output?: string;
}

export async function exportCollection(call: Call, options: ExportOptions, collection: string): Promise<void> {
  const format = chooseFormat(options.format, options.output, exports.exportFormats) ?? "json";
  const params = {
    ...(options.include !== undefined && { include: options.include }),
    ...(options.exclude !== undefined && { exclude: options.exclude }),
  };
  await withProgress(call.host.stderr, `Exporting ${collection}`, (report) =>
    call.work(async (ctx) => {
      const { totalObjects } = await collections.getSettings(ctx, collection);
      const onProgress = (count: number): void => report(count, count, totalObjects);
      const make = format === "csv" ? exports.exportCsv : exports.exportJson;
      await writeOut(call, options.output, await make(ctx, collection, { params, onProgress }));
    }),
  );
}

export async function exportObject(
  call: Call,
  options: { output?: string },
  ...[collection, id]: [string, string]
): Promise<void> {
  const { text } = await call.work((ctx) => getObject(ctx, collection, id));
  const pretty = escapeControls(JSON.stringify(JSON.parse(text) as JsonObject, null, 2));
  await writeOut(call, options.output, one(`${pretty}\n`));
}

interface ImportOptions {
  update?: boolean;
  format?: string;
}

export async function importCollection(
  call: Call,
  options: ImportOptions,
  ...[collection, file]: [string, string]
): Promise<number> {
  const result = await withProgress(call.host.stderr, `Importing into ${collection}`, (report) =>
    call.work(async (ctx) => {
      const input = await openInput(call, file, options.format);
      return importFile(ctx, collection, input, {
        update: options.update === true,
        onProgress: (count) => report(count, input.read(), input.size),
      });
    }),
  );
  return finish(call, result);
}

export async function importDeckItems(
  call: Call,
  options: ImportOptions,
  ...[collection, id, property, file]: [string, string, string, string]
): Promise<number> {
  const target = { collection, id, property };
  const result = await call.work(async (ctx) => {
    const input = await openInput(call, file, options.format);
    return importDeck(ctx, target, input, { update: options.update === true });
  });
  return finish(call, result);
}

interface Input extends ImportFile {
  /** Unknown on standard input. */
  size: number | undefined;
  read(): number | undefined;
}

async function openInput(call: Call, file: string, askedFormat: string | undefined): Promise<Input> {
  const format = chooseFormat(askedFormat, file, importFormats) ?? "json";
  if (file === "-") return { format, bytes: call.host.stdin, size: undefined, read: () => undefined };
  const { size } = await stat(file);
  const bytes = createReadStream(file);
  return { format, bytes, size, read: () => bytes.bytesRead };
}

function chooseFormat<T extends string>(
  asked: string | undefined,
  file: string | undefined,
  formats: readonly T[],
): T | undefined {
  const byEnding = extname(file ?? "")
    .slice(1)
    .toLowerCase()
    .replace("jsonl", "ndjson");
  const format = formats.find((candidate) => candidate === (asked ?? byEnding).toLowerCase());
  if (asked !== undefined && !format) throw new UsageError(`--format must be one of ${formats.join(", ")}.`);
  return format;
}

/** Refused rows are listed on standard error and make the import fail, although the others are imported. */
async function finish(call: Call, result: ImportResult): Promise<number> {
  if (call.isJson) await call.out.json(result as unknown as Json);
  else {
    const { created, updated, skipped, errorCount } = result;
    await call.out.line(`${created} created, ${updated} updated, ${skipped} skipped, ${errorCount} refused.`);
  }
  for (const { name, meant } of call.isJson ? [] : (result.ignored ?? []))
    call.remark(
      `The schema has no property ${name}${meant === undefined ? "" : ` (perhaps ${meant})`}: it was left out.`,
    );
  for (const { row, id, message, details } of call.isJson ? [] : result.errors) {
    const reasons = Object.entries(details ?? {}).map(([property, messages]) => `${property}: ${messages.join(", ")}`);
    call.remark(`Row ${row}${id === undefined ? "" : ` (${id})`}: ${reasons.join("; ") || message}`);
  }
  return result.errorCount > 0 ? 1 : 0;
}
