// Commands that extensions add. They stand in the manifests, so that none of their code runs before one is called. The
// database is asked only where a manifest declares commands at all.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { system } from "#access/actor.ts";
import type { Call, Host } from "#cli/call.ts";
import type { CommandEntry } from "#cli/catalogue/command-entry.ts";
import { clean } from "#cli/output.ts";
import { UsageError } from "#cli/usage.ts";
import type { Settings } from "#config/config.ts";
import { hasSite } from "#config/site.ts";
import { contextFor } from "#context.ts";
import type { CommandContribution } from "#contract/extensions.ts";
import type { JsonObject } from "#contract/json.ts";

/** A command has no limit of time: this is the longest that a timer can take. */
const noLimitMs = 2_147_483_647;

export interface AddedCommands {
  entries: readonly CommandEntry[];
  /** Commands that are declared but not there, with the reason. */
  missing: ReadonlyMap<string, string>;
}

const none: AddedCommands = { entries: [], missing: new Map() };

/** Never fails: without a site there are none. */
export async function findAddedCommands(host: Host, settings: () => Settings): Promise<AddedCommands> {
  try {
    const found = settings();
    return mayHaveSome(found) && hasSite(found) && (await declaresSome(found)) ? await readAdded(host, found) : none;
  } catch {
    return none;
  }
}

/** A look at the disk, which costs nothing. */
function mayHaveSome(settings: Settings): boolean {
  const folders = [settings.projectDir, settings.dataDir].map((folder) => join(folder, "extensions"));
  return folders.some((folder) => existsSync(folder)) || settings.get("extensions.packages").length > 0;
}

async function declaresSome(settings: Settings): Promise<boolean> {
  const { discover } = await import("#extensions/discover.ts");
  return (await discover(settings)).some(({ manifest }) => (manifest?.contributes.commands.length ?? 0) > 0);
}

async function readAdded(host: Host, settings: Settings): Promise<AddedCommands> {
  const { loadExtensions } = await import("#extensions/load-extensions.ts");
  const { app, close } = await host.openApp(settings, "command");
  try {
    const { all, of } = await loadExtensions(contextFor(app, system));
    const entries = new Map<string, CommandEntry>();
    for (const { extension, entry } of of("commands"))
      if (!entries.has(entry.name)) entries.set(entry.name, entryOf(extension.id, extension.manifest.name, entry));
    const missing = new Map<string, string>();
    for (const { id, state, manifest } of all.values())
      for (const { name } of manifest?.contributes.commands ?? [])
        if (!entries.has(name)) missing.set(name, whyMissing(id, state));
    return { entries: [...entries.values()], missing };
  } finally {
    await close();
  }
}

function whyMissing(id: string, state: string): string {
  const why = state === "enabled" ? "in which it is switched off" : `which is ${state}`;
  return `The command belongs to the extension ${id}, ${why}. See: cairn extension:show ${id}`;
}

function entryOf(extension: string, title: string, command: CommandContribution): CommandEntry {
  const { name, about, arguments: args = "", options = [] } = command;
  const words = args === "" ? [] : [args];
  return {
    name: [name, ...words].join(" "),
    group: clean(`Extension ${title}`),
    about: clean(about),
    options: options.map(([flags, what]) => [flags, clean(what)] as const),
    reports: true,
    load:
      async () =>
      (call, given, ...values) =>
        runAdded(call, { extension, name }, given, values),
  };
}

async function runAdded(
  call: Call,
  { extension, name }: { extension: string; name: string },
  { json: _, data: __, ...options }: JsonObject,
  values: readonly (string | undefined)[],
): Promise<number> {
  const print = async (text: unknown) => {
    await call.out.write(`${cleanLines(String(text))}\n`);
    return null;
  };
  const code = await call.work((ctx) =>
    ctx.extensions.call({
      extension,
      kind: "commands",
      name,
      args: [{ isJson: call.isJson }, options, ...values.filter((value) => value !== undefined)],
      ctx,
      timeoutMs: noLimitMs,
      extra: { print },
    }),
  );
  if (code === undefined || code === null) return 0;
  if (Number.isInteger(code) && Number(code) >= 0 && Number(code) <= 255) return Number(code);
  throw new Error(`The command ${name} returned no exit code.`);
}

function cleanLines(text: string): string {
  return text.split("\n").map(clean).join("\n");
}

export function refuseMissing({ missing }: AddedCommands, name: string | undefined): void {
  const why = name === undefined ? undefined : missing.get(name);
  if (why !== undefined) throw new UsageError(why);
}
