// How long a server holds its event loop, and what its heap holds, as report-turns.ts measures it in the process itself.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { until } from "#base/patience.fixture.ts";
import { root, type Server } from "../harness.ts";

export interface Turns {
  /** The most processor time that the main thread used in one turn since the last report, in milliseconds. */
  longest: number;
  /** The same for what happened again and again: of thousands of requests one may load code, and one may collect garbage. */
  repeated: number;
  /** Requests that began in the longest turns. */
  during: string[];
  /** Collections of the whole heap; one of them was for the report before. */
  majors: number;
  /** Bytes of the heap after a collection: now, and the most there were since the last report. */
  held: number;
  peak: number;
}

/** As report-turns.ts writes it, with the three longest turns. */
interface Report {
  reports: number;
  turns: { ms: number; during: string[] }[];
  majors: number;
  held: number;
  peak: number;
}

export interface TurnReports {
  /** For the server's environment. */
  env: Record<string, string>;
  take(server: Pick<Server, "pid">): Promise<Turns>;
  remove(): void;
}

/** `preloads`: other modules that the server loads first. */
export function reportTurns(preloads: string[] = []): TurnReports {
  const folder = mkdtempSync(join(tmpdir(), "cairn-turns-"));
  const modules = [join(root, "tests", "support", "report-turns.ts"), ...preloads];
  const options = modules.map((file) => `--import=${pathToFileURL(file).href}`).join(" ");
  let taken = 0;
  return {
    env: { NODE_OPTIONS: options, TURN_REPORT: folder },
    async take({ pid }) {
      const file = join(folder, `${pid}.json`);
      taken += 1;
      process.kill(pid, "SIGUSR2");
      const read = () => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);
      const { turns, majors, held, peak } = await until<Report>(read, (report) => report?.reports === taken);
      const [longest, , third] = turns.map(({ ms }) => ms);
      const during = turns.map((turn) => `${turn.ms} ms with ${turn.during.slice(0, 10)}`);
      return { longest: longest ?? 0, repeated: third ?? 0, during, majors, held, peak };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** No request may hold the event loop for as long as this, in milliseconds of the processor. */
export const maxTurn = 250;
/** Nor may the heap of a server grow by more than this while it is tried, in bytes. */
export const maxGrowth = 128 * 1024 * 1024;
