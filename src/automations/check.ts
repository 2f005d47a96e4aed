// Checks an automation when it is saved, beyond its schema: code that cannot be parsed, invalid schedules,
// unknown events. Nothing is run.

import type { ErrorDetails } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { checkModule } from "#sandbox/run-module.ts";
import { eventNames } from "./events.ts";
import { cronProblem } from "./schedule.ts";

export async function checkAutomation(sent: JsonObject): Promise<ErrorDetails> {
  const details: ErrorDetails = {};
  const { handler, triggers } = sent;
  if (typeof handler === "string" && handler !== "") {
    const problem = await checkModule(handler);
    if (problem !== undefined) details.handler = [problem];
  }
  for (const [id, row] of rowsOf(triggers)) {
    const [property, problem] = triggerProblem(row) ?? [];
    if (property !== undefined && problem !== undefined) details[`triggers.${id}.${property}`] = [problem];
  }
  return details;
}

/** A deck may be sent as a list, or by id. */
function rowsOf(triggers: Json | undefined): [string, JsonObject][] {
  if (Array.isArray(triggers))
    return triggers.filter(isJsonObject).map((row, at) => [typeof row.id === "string" ? row.id : String(at), row]);
  if (!isJsonObject(triggers)) return [];
  return Object.entries(triggers).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}

function triggerProblem({ type, cron, event }: JsonObject): [string, string] | undefined {
  if (type === "schedule") {
    const problem = cronProblem(typeof cron === "string" ? cron : "");
    return problem === undefined ? undefined : ["cron", problem];
  }
  if (type === "event" && !(eventNames as readonly unknown[]).includes(event))
    return ["event", `Must be one of: ${eventNames.join(", ")}.`];
  return undefined;
}
