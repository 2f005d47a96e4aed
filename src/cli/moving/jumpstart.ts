// jumpstart:import, jumpstart:export, site:init.

import { installStarter } from "#admin/starters/install-starter.ts";
import { checkStarterName } from "#admin/starters/starter-folder.ts";
import type { Call } from "#cli/call.ts";
import { parseList, readJsonObject } from "#cli/input.ts";
import { withProgress } from "#cli/progress.ts";
import { writeOut } from "#cli/sink.ts";
import { UsageError } from "#cli/usage.ts";
import type { Json } from "#contract/json.ts";
import type { ImportReport } from "#contract/transfer.ts";
import { importJumpstart } from "#sync/jumpstart/jumpstart.ts";
import { exportJumpstart } from "#sync/jumpstart/jumpstart-export.ts";

export async function importDefinition(call: Call, options: { demo?: boolean }, file?: string): Promise<void> {
  if ((file !== undefined) === (options.demo === true)) throw new UsageError("Give a file, or --demo.");
  if (options.demo) return initSite(call, {});
  const definition = await readJsonObject(call.host, { file });
  await reportImport(call, await call.work((ctx) => importJumpstart(ctx, definition)));
}

/** site:init [starter], and jumpstart:import --demo. */
export async function initSite(call: Call, _options: object, starter = "walks"): Promise<void> {
  const name = checkStarterName(starter);
  await reportImport(call, await call.work((ctx) => installStarter(ctx, name)));
}

async function reportImport(call: Call, report: ImportReport): Promise<void> {
  if (call.isJson) return call.out.json(report as unknown as Json);
  const { created, updated, unchanged, skipped } = report;
  for (const kind of ["schema", "collection", "template", "object", "redirect"] as const) {
    const count = created.filter((item) => item.kind === kind).length;
    if (count > 0) await call.out.line(`${count} ${count === 1 ? kind : `${kind}s`} created.`);
  }
  if (updated.length > 0) await call.out.line(`${updated.length} updated.`);
  const left = unchanged.length + skipped.length;
  if (left > 0) await call.out.line(`${left} left unchanged.`);
}

interface ExportOptions {
  name?: string;
  description?: string;
  schemas?: string;
  collections?: string;
  objects: boolean;
  templates: boolean;
  output?: string;
}

export async function exportDefinition(call: Call, options: ExportOptions): Promise<void> {
  const { name, description, output } = options;
  const isFile = output !== undefined && output !== "-";
  if (call.isJson && !isFile) throw new UsageError("--json needs a file: give one with --output.");
  const list = (ids: string | undefined) => (ids === undefined ? undefined : parseList(ids));
  const choice = {
    ...options,
    name,
    description,
    schemas: list(options.schemas),
    collections: list(options.collections),
  };
  const counts = await withProgress(call.host.stderr, "Exporting", (report) =>
    call.work(async (ctx) => {
      const made = await exportJumpstart(ctx, choice);
      await writeOut(
        call,
        output,
        withProgressReports(made.text, () => report(made.counts.objects)),
      );
      return made.counts;
    }),
  );
  if (call.isJson) await call.out.json({ file: output as string, ...counts });
  else if (isFile)
    await call.out.line(`${counts.objects} objects of ${counts.collections} collections are in ${output}.`);
}

async function* withProgressReports(text: AsyncIterable<string>, report: () => void): AsyncIterable<string> {
  for await (const piece of text) {
    report();
    yield piece;
  }
}
