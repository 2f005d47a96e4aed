// The next times of a schedule, worked out as the server does. Pure.

import { parseCron } from "@rules/cron.ts";
import { Cron } from "croner";

export type NextTimes = { times: Date[] } | { isWrong: true };

export function nextTimes(text: string, timezone: string, { from = new Date(), count = 5 } = {}): NextTimes {
  try {
    return { times: parseCron(Cron, text, timezone).nextRuns(count, from) };
  } catch {
    return { isWrong: true };
  }
}
