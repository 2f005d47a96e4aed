// Automations for tests, and waiting for their runs. It builds and carries; it never asserts.

import { until } from "#base/patience.fixture.ts";
import type { Answer, Server } from "../harness.ts";

export interface Run {
  runId: string;
  status: string;
  trigger: string;
  queuedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  durationMs: number | null;
  attempts: number;
  // biome-ignore lint/suspicious/noExplicitAny: a handler returns what it likes
  result: any;
  error: string | null;
  log: string[];
}

/** `body`: what stands in the handler's braces. */
export async function automate(
  server: Server,
  id: string,
  record: { body: string; triggers?: Record<string, unknown>[]; [property: string]: unknown },
): Promise<Answer> {
  const { body, triggers = [], ...rest } = record;
  const handler = `export default async (ctx) => { ${body} }`;
  const rows = triggers.map((row, at) => ({ id: `t${at}`, ...row }));
  const answer = await server.request("POST", "/api/collections/automations", {
    body: { id, handler, triggers: rows, ...rest },
  });
  if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status}: ${answer.text}`);
  return answer;
}

export async function runsOf(server: Server, id: string): Promise<Run[]> {
  return (await server.request("GET", `/api/automations/${id}/runs?limit=100`)).body.data as Run[];
}

/** When so many runs have ended, and none waits or runs. */
export async function settledRuns(server: Server, id: string, count: number): Promise<Run[]> {
  return until(
    () => runsOf(server, id),
    (runs) => runs.length >= count && runs.every(({ finishedAt }) => finishedAt !== null),
  );
}
