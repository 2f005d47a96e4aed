// definitions:status, definitions:import.

import type { Call } from "#cli/call.ts";
import type { Json } from "#contract/json.ts";
import * as definitions from "#installation/definitions.ts";

export async function showStatus(call: Call): Promise<void> {
  const status = await call.work((ctx) => definitions.getDefinitionsStatus(ctx));
  if (call.isJson) return call.out.json((status ?? null) as unknown as Json);
  if (!status) return call.out.line("The files of the data directory decide: one server has this database alone.");
  await call.out.table(
    ["KIND", "ID", "REVISION", "UPDATED"],
    status.definitions
      .filter(({ kind }) => kind !== "template-versions")
      .map(({ kind, id, rev, updated }) => [kind, id, String(rev), updated]),
  );
  for (const key of status.left) await call.out.line(`Not in the database: ${key} (cairn definitions:import).`);
  for (const key of status.broken) await call.out.line(`Cannot be read: ${key}.`);
  for (const { kind, id, word } of status.beside) await call.out.line(`${besideWords[word]}: ${kind}/${id}.`);
}

const besideWords = {
  conflict: "An edit had been overtaken and is kept as .conflict",
  rejected: "An edit was refused and is kept as .rejected",
};

export async function importFiles(call: Call, options: { dryRun?: boolean }): Promise<number> {
  const isTrial = options.dryRun === true;
  const taken = await call.work((ctx) => definitions.importDefinitions(ctx, { dryRun: isTrial }));
  const refused = isTrial ? [] : taken.filter(({ isTaken }) => !isTaken);
  if (call.isJson) await call.out.json({ files: taken as unknown as Json, isTrial });
  else if (taken.length === 0) await call.out.line("The database has all definitions of this node.");
  else for (const { key, isTaken } of taken) await call.out.line(`${wordFor(isTaken, isTrial)} ${key}`);
  return refused.length > 0 ? 1 : 0;
}

function wordFor(isTaken: boolean, isTrial: boolean): string {
  if (isTrial) return "Would be imported:";
  return isTaken ? "Imported:" : "Refused, kept as .rejected:";
}
