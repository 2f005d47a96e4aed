// The audit log: who signed in, and who changed what anyone may do. One JSON line an event in
// {data_dir}/.system/logs/access.log, for its owner only. No password, key, session or token goes in.
// A log that cannot be written never fails the operation; it is told by the service's log, the metrics and /readyz.

import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { nameOf } from "./actor.ts";

export const auditTypes = [
  "login.succeeded",
  "login.failed",
  "login.throttled",
  "logout",
  "session.ended",
  "impersonation.started",
  "impersonation.stopped",
  "user.created",
  "user.changed",
  "user.deleted",
  "group.saved",
  "group.deleted",
  "key.created",
  "key.deleted",
  "settings.changed",
  "passkey.created",
  "passkey.deleted",
  "setup.completed",
] as const;

export type AuditType = (typeof auditTypes)[number];

export interface AuditEvent {
  type: AuditType;
  /** The id of the user it is about. Never what somebody typed as a name: that may be a password. */
  user?: string | undefined;
  /** A few words more; names of what changed, never the values. */
  details?: { [name: string]: Json };
}

/** What of a context the log needs. */
export type Audited = Pick<Context, "clock" | "log" | "actor" | "origin"> & { settings: { readonly dataDir: string } };

const maxSize = 10 * 1_048_576;
const keptFiles = 5;
const maxText = 500;
/** A rotation takes milliseconds; a lock as old as this was left by a process that died. */
const staleLockMs = 60_000;

/** Written when it returns. */
export function audit(ctx: Audited, { type, user, details }: AuditEvent): void {
  const { actor, origin, clock } = ctx;
  const state = stateOf(ctx);
  const impersonator = actor.kind === "user" ? actor.impersonator : undefined;
  const line = { time: clock.iso(), type, actor: nameOf(actor), impersonator, user, ...origin, ...details };
  try {
    append(auditFile(ctx), `${JSON.stringify(line, shorten).replace(lineBreaks, escapeBreak)}\n`);
    state.isFailing = false;
  } catch (error) {
    state.isFailing = true;
    state.lost += 1;
    ctx.log.error({ err: error, type }, "the audit log could not be written");
  }
}

interface AuditState {
  /** The last event could not be written. */
  isFailing: boolean;
  /** Events that were not written since the start. */
  lost: number;
}

const states = new WeakMap<object, AuditState>();

export function auditState({ settings }: Pick<Audited, "settings">): Readonly<AuditState> {
  return stateOf({ settings });
}

function stateOf({ settings }: Pick<Audited, "settings">): AuditState {
  const state = states.get(settings) ?? { isFailing: false, lost: 0 };
  states.set(settings, state);
  return state;
}

export function auditFile({ settings }: Pick<Audited, "settings">): string {
  return join(settings.dataDir, ".system", "logs", "access.log");
}

/** The files that may exist, newest first. */
export function auditFiles(parts: Pick<Audited, "settings">): string[] {
  const file = auditFile(parts);
  return [file, ...Array.from({ length: keptFiles }, (_, at) => `${file}.${at + 1}`)];
}

function shorten(_name: string, value: unknown): unknown {
  return typeof value === "string" && value.length > maxText ? `${value.slice(0, maxText)}...` : value;
}

// What JSON leaves as it is, and some readers take for the end of a line.
const lineBreaks = /[\u0085\u2028\u2029]/g;

function escapeBreak(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Opened each time: another process may have rotated the file meanwhile. Lines of several processes never mix. */
function append(file: string, line: string): void {
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  const handle = openSync(file, "a+", 0o600);
  let size: number;
  try {
    size = fstatSync(handle).size;
    const text = (endsInLine(handle, size) ? "" : "\n") + line;
    const written = writeSync(handle, text);
    if (written < Buffer.byteLength(text)) throw new Error("only a part of the line was written");
  } finally {
    closeSync(handle);
  }
  if (size >= maxSize) rotate(file);
}

/** A line that a full disk cut off must not spoil the next one. */
function endsInLine(handle: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

function rotate(file: string): void {
  const lock = `${file}.lock`;
  try {
    closeSync(openSync(lock, "wx", 0o600));
  } catch {
    // Another process is at it.
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > staleLockMs) rmSync(lock);
    return;
  }
  try {
    if (statSync(file).size < maxSize) return;
    for (let at = keptFiles - 1; at >= 1; at -= 1) {
      if (statSync(`${file}.${at}`, { throwIfNoEntry: false })) renameSync(`${file}.${at}`, `${file}.${at + 1}`);
    }
    renameSync(file, `${file}.1`);
  } finally {
    rmSync(lock);
  }
}
