// site:redirects list, import, export.

import { readFile } from "node:fs/promises";
import { csvRow } from "#base/csv.ts";
import type { Call } from "#cli/call.ts";
import { readAll } from "#cli/prompts.ts";
import { writeOut } from "#cli/sink.ts";
import { UsageError } from "#cli/usage.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { Redirect } from "#contract/redirects.ts";
import * as redirects from "#redirects/redirects.ts";

interface Options {
  dryRun?: boolean;
  skipErrors?: boolean;
  output?: string;
}

export async function run(call: Call, options: Options, action: string, file?: string): Promise<number> {
  if (action === "list") return list(call);
  if (action === "export") return exportAll(call, options);
  if (action === "import") return importFile(call, options, file);
  throw new UsageError("The action must be list, import or export.");
}

async function list(call: Call): Promise<number> {
  const all = await call.work(listAll);
  if (call.isJson) await call.out.json(all as unknown as Json);
  else
    await call.out.table(
      ["SOURCE", "TARGET", "STATUS", "ORIGIN", "HITS", "LAST"],
      all.map((one) => [one.source, one.target, String(one.status), one.origin, String(one.hits), one.last ?? ""]),
    );
  return 0;
}

async function exportAll(call: Call, { output }: Options): Promise<number> {
  const all = await call.work(listAll);
  if (call.isJson) await call.out.json(all as unknown as Json);
  else await writeOut(call, output, lines(all));
  return 0;
}

async function* lines(all: readonly Redirect[]): AsyncGenerator<string> {
  yield csvRow(["source", "target", "status"]);
  for (const { source, target, status } of all) yield csvRow([source, target, status]);
}

async function listAll(ctx: Context): Promise<Redirect[]> {
  const all: Redirect[] = [];
  for await (const page of redirects.exportRedirects(ctx)) all.push(...page);
  return all;
}

/** 1 when a line is wrong. */
async function importFile(call: Call, options: Options, file: string | undefined): Promise<number> {
  if (file === undefined) throw new UsageError("Name the file to import; - is standard input.");
  const bytes = file === "-" ? await readAll(call.host.stdin) : await readFile(file);
  const asked = { isDryRun: options.dryRun === true, skipsErrors: options.skipErrors === true };
  const done = await call.work((ctx) => redirects.importRedirects(ctx, bytes.toString("utf8"), asked));
  if (call.isJson) await call.out.json(done as unknown as Json);
  else {
    const counts = `${done.created} created, ${done.updated} changed, ${done.unchanged} unchanged`;
    await call.out.line(done.isDryRun ? `Nothing was stored. The import would give: ${counts}.` : `${counts}.`);
    for (const { line, message } of done.errors) call.remark(`line ${line}: ${message}`);
  }
  return done.errors.length === 0 ? 0 : 1;
}
