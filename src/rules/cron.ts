// Schedules as text: five cron fields or a macro. The server fires by them, the admin shows their next times. The library is
// passed in: the server loads it when the first schedule is read.

import type { Cron } from "croner";

export type CronClass = typeof Cron;

const macros: Record<string, string> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Throws when the text is not a schedule. */
export function parseCron(CronJob: CronClass, text: string, timezone: string): Cron {
  const pattern = macros[text.trim().toLowerCase()] ?? text.trim();
  // The library would accept a date as a schedule of one moment.
  if (pattern.split(/\s+/).length !== 5) throw new Error("not five fields");
  return new CronJob(pattern, { timezone, mode: "5-part", paused: true });
}

/** The problem of a schedule's text. */
export function cronProblem(CronJob: CronClass, text: string): string | undefined {
  try {
    parseCron(CronJob, text, "UTC");
    return undefined;
  } catch {
    return "Must be five cron fields, or one of @hourly, @daily, @weekly, @monthly, @yearly.";
  }
}
