// Events of a webhook as ticks. A stored pattern such as `object.*` ticks all that it covers, and stays as it is until a tick changes.

import { webhookEvents } from "@contract/webhooks.ts";

export const everything = "*";

export function isEverything(events: readonly string[]): boolean {
  return events.includes(everything);
}

/** The events that the patterns cover, in the order of the list. */
export function coveredBy(patterns: readonly string[]): string[] {
  return webhookEvents.filter((event) =>
    patterns.some(
      (pattern) =>
        pattern === everything ||
        pattern === event ||
        (pattern.endsWith(".*") && event.startsWith(pattern.slice(0, -1))),
    ),
  );
}
