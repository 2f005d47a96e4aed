// automations:list, :lint, :run, :runs, :enable, :disable, :process.

import { lintAutomations } from "#automations/lint.ts";
import { enableAutomation, processAutomations, summariseAutomations } from "#automations/manage.ts";
import { listRuns, runAutomation } from "#automations/runs.ts";
import type { Call } from "#cli/call.ts";
import { UsageError } from "#cli/usage.ts";
import type { Run } from "#contract/jobs.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

export async function list(call: Call): Promise<void> {
  const all = await call.work((ctx) => summariseAutomations(ctx));
  if (call.isJson) return call.out.json(all as unknown as Json);
  await call.out.table(
    ["ID", "NAME", "ENABLED", "TRIGGERS", "QUEUED", "LAST RUN"],
    all.map(({ id, name, enabled, triggers, open, queued, lastRun }) => [
      id,
      name,
      enabled ? "yes" : "no",
      `${triggers.join(",")}${open ? " (open to everybody)" : ""}`,
      String(queued),
      lastRun ? `${lastRun.status} ${lastRun.finishedAt ?? ""}` : "never",
    ]),
  );
}

export async function lint(call: Call, options: { strict?: boolean }): Promise<number> {
  const findings = await call.work((ctx) => lintAutomations(ctx));
  if (call.isJson) await call.out.json(findings as unknown as Json);
  else if (findings.length === 0) await call.out.line("No findings.");
  else {
    const rows = findings.map(({ level, automation, property, message }) => [level, automation, property, message]);
    await call.out.table(["LEVEL", "AUTOMATION", "PROPERTY", "FINDING"], rows);
  }
  const isBad = findings.some(({ level }) => options.strict === true || level === "error");
  return isBad ? 1 : 0;
}

export async function run(call: Call, { args }: { args?: string }, id: string): Promise<number> {
  const done = await call.work((ctx) => runAutomation(ctx, id, parseArgs(args)));
  if (call.isJson) await call.out.json(done as unknown as Json);
  else {
    for (const line of done.log) call.remark(line);
    if (done.error === null) await call.out.line(JSON.stringify(done.result));
    else call.remark(`cairn: The run ${done.runId} failed: ${done.error}`);
  }
  return done.status === "succeeded" ? 0 : 1;
}

function parseArgs(text = "{}"): JsonObject {
  try {
    const args = JSON.parse(text) as Json;
    if (isJsonObject(args)) return args;
  } catch {
    // Invalid JSON gets the error below.
  }
  throw new UsageError('--args must be a JSON object, such as \'{"name": "value"}\'.');
}

export async function runs(call: Call, { limit }: { limit: string }, id: string): Promise<void> {
  if (!/^[1-9]\d{0,2}$/.test(limit)) throw new UsageError("--limit must be a whole number of at least 1.");
  const found = await call.work((ctx) => listRuns(ctx, id, { limit: Number(limit), offset: 0 }));
  if (call.isJson) return call.out.json(found.runs as unknown as Json);
  await call.out.table(["RUN", "STATUS", "TRIGGER", "QUEUED", "MS", "OUTCOME"], found.runs.map(row));
}

function row({ runId, status, trigger, queuedAt, durationMs, result, error }: Run): string[] {
  const outcome = error ?? (status === "succeeded" ? JSON.stringify(result) : "");
  return [runId, status, trigger, queuedAt, durationMs === null ? "" : String(durationMs), outcome.slice(0, 80)];
}

export async function enable(call: Call, _options: unknown, id: string): Promise<void> {
  await toggle(call, id, true);
}

export async function disable(call: Call, _options: unknown, id: string): Promise<void> {
  await toggle(call, id, false);
}

async function toggle(call: Call, id: string, enabled: boolean): Promise<void> {
  await call.work((ctx) => enableAutomation(ctx, id, enabled));
  if (call.isJson) await call.out.json({ id, enabled });
  else await call.out.line(`The automation ${id} is ${enabled ? "enabled" : "disabled"}.`);
}

export async function processQueue(call: Call): Promise<void> {
  const { fired, processed } = await call.work((ctx) => processAutomations(ctx));
  if (call.isJson) return call.out.json({ fired, processed });
  await call.out.line(`${fired} schedules were due, ${processed} jobs are done.`);
}
