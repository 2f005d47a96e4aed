// The audit log: sign-ins, and changes of rights. One JSON line an event in
// {data_dir}/.system/logs/access.log, for its owner only, and in the database that nodes share. No password, key, session or
// token goes in.
// A log that cannot be written never fails the operation; the service's log, the metrics and /readyz report it.

import { join } from "node:path";
import { appendLine, filesOf, jsonLine } from "#base/logs/log-lines.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Context } from "#context.ts";
import type { AuditType } from "#contract/audit.ts";
import type { Json } from "#contract/json.ts";
import { nameOf } from "./actor.ts";
import { shareLine } from "./logs/shared-logs.ts";

export interface AuditEvent {
  type: AuditType;
  /** The id of the user it is about. Never a typed name: it may be a password. */
  user?: string | undefined;
  /** A few words more; names of what changed, never the values. */
  details?: { [name: string]: Json };
}

/** The parts of a context that the log needs. */
export type Audited = Pick<Context, "clock" | "log" | "actor" | "origin" | "cause"> & {
  settings: { readonly dataDir: string };
};

/** Written when it returns. */
export function audit(ctx: Audited, { type, user, details }: AuditEvent): void {
  const { actor, origin, clock } = ctx;
  const state = stateOf(ctx.settings);
  const impersonator = actor.kind === "user" ? actor.impersonator : undefined;
  const cause = ctx.cause && { automation: ctx.cause.automation };
  const time = clock.iso();
  const text = jsonLine({ time, type, actor: nameOf(actor), ...cause, impersonator, user, ...origin, ...details });
  shareLine(ctx, { log: "access", at: time, line: text });
  try {
    appendLine(auditFile(ctx), text);
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

const stateOf = perInstance((_settings: Audited["settings"]): AuditState => ({ isFailing: false, lost: 0 }));

export function auditState({ settings }: Pick<Audited, "settings">): Readonly<AuditState> {
  return stateOf(settings);
}

function auditFile({ settings }: Pick<Audited, "settings">): string {
  return join(settings.dataDir, ".system", "logs", "access.log");
}

/** The files that may exist, newest first. */
export function auditFiles(parts: Pick<Audited, "settings">): string[] {
  return filesOf(auditFile(parts));
}
