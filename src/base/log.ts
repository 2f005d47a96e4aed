// The structured log: one JSON line an event on standard error. Never a secret, a query string or a body.

import { destination, type Logger, pino } from "pino";

export function createLog(level: string): Logger {
  return pino({ level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }, destination(2));
}
