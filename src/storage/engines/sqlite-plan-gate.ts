// For test runs: no statement on the server's own thread may look through a table that grows, or sort what it finds there.
// Such a statement keeps every request waiting, the longer the more a site holds. It belongs into a question or a long read
// (port.ts), or needs an index. What is let through is named below, with the reason.

import { appendFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** Tables that stay small. */
const small = [
  // Created by hand, so there are few.
  "webhooks",
  "access_groups",
  "extensions",
  "api_keys",
  "collections",
  "schema_digests",
  "view_results",
  "sqlite_schema",
  "sqlite_sequence",
  "migrations",
  // Swept by age; and one row for each thing that is under way.
  "holds",
  "pending_files",
  "uploads",
  "upload_parts",
  "account_tokens",
  "oauth_clients",
  "mail_batches",
  "schedule_slots",
  "mcp_sessions",
  "mcp_answers",
  "stamps",
  "counters",
  "presence",
  // One row for each process that runs.
  "nodes",
];

/** Indexes that stay small, of a table that grows: of the jobs that run. */
const smallIndexes = ["jobs_running", "jobs_running_kinds"];

/**
 * Scans that are none: of parameters, of one object's values, of the full-text index by row or by words, and of what a
 * subquery with a limit has found, whose own steps are judged.
 */
const noScan =
  /^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS|\d+-ROW VALUES CLAUSE|element\b|given\b|json_each|counted\b|object_fts VIRTUAL TABLE INDEX \d+:(=|M\d))/;

/** Statements, by their beginning or a part of them. */
const letThrough: [part: string, reason: string][] = [
  ["FROM sqlite_schema AS tables", "as many as there are tables"],
  ["FROM passkeys WHERE user_id = ?", "those of one user"],
  ["FROM oauth_codes JOIN oauth_grants", "those of one user"],
  ["FROM oauth_grants", "those of one user, or of one client"],
  ["FROM jobs WHERE kind = ? AND status = 'running'", "as many as run"],
  ["FROM jobs WHERE status = 'queued' GROUP BY kind", "as many as wait, in an index of these alone"],
  ["FROM mails WHERE batch = ? GROUP BY status", "those of one batch, by few states"],
  ["INSERT INTO change_log", "once, when a backup was put back"],
  ["COUNT(*) AS n FROM mails", "mails are kept for a limited time, and counted in an index"],
];

/** Set by a test run: the file for the findings, which the run reports. */
const found = process.env.CAIRN_PLANS_FILE;

/** To be called with each statement that is prepared; nothing outside of test runs. */
export const gate = found
  ? (database: DatabaseSync, sql: string) => {
      const problem = findLongPlan(database, sql);
      if (problem !== undefined) appendFileSync(found, `${problem}\n`);
    }
  : undefined;

/** Undefined: the statement finds its rows by an index. */
export function findLongPlan(database: DatabaseSync, sql: string): string | undefined {
  if (!/^\s*(SELECT|UPDATE|DELETE|INSERT|WITH)/i.test(sql)) return undefined;
  const text = sql.replace(/\s+/g, " ");
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
  const steps = plan.map(({ detail }) => detail);
  if (!steps.some((step) => isLong(step, text)) || letThrough.some(([part]) => text.includes(part))) return undefined;
  return `${steps.join("; ")}: ${text}`;
}

function isLong(step: string, sql: string): boolean {
  if (noScan.test(step)) return false;
  const [, table, index = ""] = /^SCAN (\S+)(?: USING (?:COVERING )?INDEX (\S+))?/.exec(step) ?? [];
  if (smallIndexes.includes(index)) return false;
  // In the order of an index, and no further than the limit.
  if (table !== undefined && index !== "" && / LIMIT /.test(sql)) return false;
  if (table !== undefined) return !small.includes(table);
  return step.includes("TEMP B-TREE") && !small.some((name) => new RegExp(`FROM ${name}\\b`).test(sql));
}
