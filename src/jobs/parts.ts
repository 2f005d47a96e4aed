import type { Logger } from "pino";
import type { Clock } from "#base/clock.ts";
import type { Storage } from "#storage/port.ts";

/** What work in the background needs of the service. */
export interface Parts {
  storage: Storage;
  clock: Clock;
  log: Logger;
}
