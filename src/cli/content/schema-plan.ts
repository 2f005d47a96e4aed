// schema:plan.

import { planChange } from "#admin/schema-plan.ts";
import type { Call } from "#cli/call.ts";
import { readJsonObject } from "#cli/input.ts";
import type { Json } from "#contract/json.ts";
import type { SchemaPlan } from "#contract/schemas.ts";

export async function planSchema(call: Call, _options: unknown, file: string): Promise<void> {
  const body = await readJsonObject(call.host, { file });
  const plan = await call.work((ctx) => planChange(ctx, body));
  if (call.isJson) return call.out.json(plan as unknown as Json);
  const rows = changesOf(plan);
  if (rows.length === 0) await call.out.line("It changes no property.");
  else await call.out.table(["CHANGE", "PROPERTY", "OBJECTS"], rows);
  for (const { property, kind, id, collection, line } of plan.mentions) {
    const place = [collection, id].filter(Boolean).join("/");
    await call.out.line(`${property} is named by the ${kind} ${place}${line === undefined ? "" : `, line ${line}`}.`);
  }
  if (plan.hasOthers) await call.out.line("It concerns collections that you may not read too.");
  const { objects, isComplete } = plan.counted;
  if (!isComplete) await call.out.line(`Only ${objects} objects were looked at; there are more.`);
}

function changesOf({ added, removed, renamed, retyped, newlyRequired, index }: SchemaPlan): string[][] {
  return [
    ...added.map((name) => ["added", name, ""]),
    ...removed.map(({ property, filled }) => ["removed", property, `${filled} have a value`]),
    ...renamed.map(({ from, to, filled }) => ["renamed", `${from} to ${to}`, `${filled} have a value`]),
    ...retyped.map(({ property, from, to, unfit }) => [`${from} to ${to}`, property, `${unfit} do not fit`]),
    ...newlyRequired.map(({ property, lacking }) => ["required", property, `${lacking} lack it`]),
    ...index.added.map((name) => ["indexed", name, ""]),
    ...index.removed.map((name) => ["not indexed", name, ""]),
  ];
}
