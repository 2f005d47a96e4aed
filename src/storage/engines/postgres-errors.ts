// Maps failures of the database server to errors for the caller. The server's own words are logged, never sent.

import { DatabaseError } from "pg";
import type { Logger } from "pino";
import { CairnError, temporarilyUnavailable } from "#base/errors.ts";
import { UniqueViolation } from "#storage/port.ts";

/** The transaction met another one; nothing of it was kept, and it may be run again. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40001" || code === "40P01";
}

/** The connection is broken, was never established, or leads to a server that is no primary any more. */
export function isDisconnect(error: unknown): boolean {
  if (error instanceof DatabaseError && error.severity === "FATAL") return true;
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && lostMessages.test(error.message);
  return lostCodes.has(code) || /^(08|57P|25006)/.test(code);
}

const lostCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
]);
/** The driver's own errors carry no code. */
const lostMessages =
  /connection (terminated|error|ended)|timeout (expired|exceeded)|read timeout|not queryable|client was closed/i;

const code = {
  unique: "23505",
  missingValue: "23502",
  diskFull: "53100",
  nulInJson: "22P05",
  nulInText: "22021",
};

/** Conflicts, a lack of memory or connections, and statements cut short by an operator's limits or commands. */
const passing = /^(40|53|55P03|57014)/;

export function translate(error: unknown, log: Logger): unknown {
  if (error instanceof CairnError || error instanceof UniqueViolation) return error;
  const found = codeOf(error);
  if (found === code.unique) return new UniqueViolation();
  if (found === code.nulInJson || found === code.nulInText) {
    return new CairnError("invalid", "Text may not contain the character U+0000.");
  }
  if (found === undefined && !isDisconnect(error)) return error;
  log.error({ err: error }, "the database refused a statement");
  if (found === code.diskFull) return new CairnError("storage-full");
  const isAway = isDisconnect(error) || passing.test(found ?? "");
  return isAway ? temporarilyUnavailable() : new CairnError("internal");
}

/** A column that must have a value was given none. */
export function isMissingValue(error: unknown): boolean {
  return codeOf(error) === code.missingValue;
}

/** It took longer than allowed, or was cancelled. */
export function isStopped(error: unknown): boolean {
  return codeOf(error) === "57014";
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
