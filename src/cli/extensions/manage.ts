// extension:list, show, enable, disable, settings, log, reload, remove.

import { readFile } from "node:fs/promises";
import { parseJson } from "#base/json.ts";
import type { Call } from "#cli/call.ts";
import { parseList } from "#cli/input.ts";
import { clean } from "#cli/output.ts";
import { canAsk, confirm, readAll, requireConsent } from "#cli/prompts.ts";
import { UsageError } from "#cli/usage.ts";
import type { Capability, ExtensionDetails, ExtensionRecord } from "#contract/extensions.ts";
import type { Json } from "#contract/json.ts";
import { removeExtension } from "#extensions/install.ts";
import * as extensions from "#extensions/manage.ts";
import { getSettings, putSettings } from "#extensions/settings.ts";

export async function list(call: Call): Promise<void> {
  const all = await call.work((ctx) => extensions.listExtensions(ctx));
  if (call.isJson) return call.out.json(all as unknown as Json);
  if (all.length === 0) return call.out.line("No extensions. cairn extension:new acme/hello makes one.");
  await call.out.table(
    ["ID", "VERSION", "RUNTIME", "FROM", "STATE", "ERROR"],
    all.map(({ id, version, runtime, source, state, error }) => [id, version, runtime, source, state, error ?? ""]),
  );
}

export async function show(call: Call, _options: unknown, id: string): Promise<void> {
  const found = await call.work((ctx) => extensions.getExtension(ctx, id));
  if (call.isJson) return call.out.json(found as unknown as Json);
  const { name, version, state, error, description, source, runtime, stats, errors, hidden } = found;
  const facts = [
    ["Name", `${name} ${version}`],
    ["State", error === null ? state : `${state}: ${error}`],
    ["From", source],
    ["Runtime", runtime],
    ["Calls", `${stats.calls}, ${stats.errors} failed`],
    ...(description === "" ? [] : [["About", description]]),
    ...hidden.map((folder) => ["Hidden", folder]),
  ];
  for (const [label, value] of facts) await call.out.line(clean(`${`${label}:`.padEnd(9)} ${value}`));
  await writeReview(call, found);
  if (errors.length > 0) await call.out.line("\nLast errors:");
  for (const { at, text } of errors.slice(-5)) await call.out.line(clean(`  ${at} ${text}`));
}

/** What it asks for; 1 when the person does not approve. */
export async function enable(call: Call, options: { yes?: boolean; without?: string }, id: string): Promise<number> {
  const switches = Object.fromEntries(parseList(options.without ?? "").map((name) => [name, false]));
  const found = await call.work((ctx) => extensions.getExtension(ctx, id));
  const needsReview = found.difference.length > 0 || found.approved === null;
  if (needsReview && options.yes !== true && found.manifest !== null) {
    if (!call.isJson) await writeReview(call, found);
    if (!canAsk(call.host)) throw new UsageError(`Review it with "cairn extension:show ${id}", then add --yes.`);
    if (!(await confirm(call.host, `Approve and enable ${id} ${found.version}?`))) return 1;
  }
  const approve = found.source === "bundled" ? undefined : found.fingerprint;
  const record = await call.work((ctx) => extensions.enableExtension(ctx, id, { approve, switches }));
  await report(call, record, "enabled");
  return 0;
}

export async function disable(call: Call, { cascade = false }: { cascade?: boolean }, id: string): Promise<void> {
  await report(call, await call.work((ctx) => extensions.disableExtension(ctx, id, { cascade })), "disabled");
}

export async function reload(call: Call, _options: unknown, id: string): Promise<void> {
  await report(call, await call.work((ctx) => extensions.reloadExtension(ctx, id)), "enabled");
}

export async function showLog(call: Call, _options: unknown, id: string): Promise<void> {
  const lines = await call.work((ctx) => extensions.readExtensionLog(ctx, id, 0));
  if (call.isJson) return call.out.json(lines as unknown as Json);
  if (lines.length === 0) return call.out.line("It has logged nothing.");
  await call.out.table(
    ["TIME", "LEVEL", "TEXT"],
    lines.map(({ at, level, text }) => [at, level, text]),
  );
}

/** Without a file they are shown; secrets are never. */
export async function settings(call: Call, { set }: { set?: string }, id: string): Promise<void> {
  const bytes = set === undefined ? undefined : set === "-" ? await readAll(call.host.stdin) : await readFile(set);
  const values = await call.work((ctx) => (bytes ? putSettings(ctx, id, parseJson(bytes)) : getSettings(ctx, id)));
  await call.out.json(values);
}

export async function remove(
  call: Call,
  { purge = false, force = false }: { purge?: boolean; force?: boolean },
  id: string,
): Promise<number> {
  const question = purge ? `Delete the extension ${id} and all that it kept?` : `Delete the extension ${id}?`;
  if (!(await requireConsent(call.host, force, question))) return 1;
  await call.work((ctx) => removeExtension(ctx, id, { purge }));
  if (call.isJson) await call.out.json({ removed: id, purged: purge });
  else await call.out.line(purge ? `${id} and what it kept are deleted.` : `${id} is deleted; what it kept stays.`);
  return 0;
}

async function report(call: Call, record: ExtensionRecord, word: string): Promise<void> {
  if (call.isJson) return call.out.json(record as unknown as Json);
  const { id, state, error } = record;
  await call.out.line(clean(state === word ? `${id} is ${word}.` : `${id} is ${state}: ${error ?? ""}`));
}

const runtimes = {
  node: "It runs with all rights of the server: files, network, programs. Enable it only if you trust its author.",
  sandbox: "It runs in a sandbox: it reaches nothing but what is listed here.",
};

async function writeReview(call: Call, found: ExtensionDetails): Promise<void> {
  const { capabilities, runtime, reviewNote, code, difference, approved } = found;
  await call.out.line(`\n${runtimes[runtime]}`);
  if (reviewNote) await call.out.line(clean(`Its author says: ${reviewNote}`));
  await call.out.line(`Code: ${code.files} files, ${code.bytes} bytes, sha256 ${code.hash.slice(0, 16)}`);
  const fresh = new Set(approved === null ? [] : difference.map(({ name }) => name));
  const isMay = ({ kind }: Capability) => kind === "permission";
  await writePart(call, "What it may do", capabilities.filter(isMay), fresh);
  await writePart(
    call,
    "What it adds",
    capabilities.filter((one) => !isMay(one)),
    fresh,
  );
  await call.out.line();
}

/** `!` marks what is sensitive, `new` what was not approved before. */
async function writePart(
  call: Call,
  title: string,
  capabilities: readonly Capability[],
  fresh: ReadonlySet<string>,
): Promise<void> {
  await call.out.line(`\n${title}:`);
  if (capabilities.length === 0) return call.out.line("  nothing");
  await call.out.table(
    ["", "CAPABILITY", "IN WORDS"],
    capabilities.map(({ name, about, sensitive, on }) => [
      `${sensitive ? "!" : " "}${fresh.has(name) ? " new" : ""}`,
      name,
      on ? about : `${about} (off)`,
    ]),
  );
}
