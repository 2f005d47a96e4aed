// Two servers, or two states of one, measured in turns: short rounds close to each other, because a machine that others use
// changes from second to second. Processor time decides; the clock also counts what waited for others.

import { type Load, type Measured, runLoad } from "./load.ts";
import { median } from "./log-site.ts";
import { cpuBetween, cpuTimes, type Running } from "./processes.ts";
import { type Row, whole } from "./table.ts";

export interface Turn extends Measured {
  /** Processor time of the server, microseconds a request. */
  cpu: number;
}

export async function measureTurn({ url, pid }: Running, load: Omit<Load, "url">): Promise<Turn> {
  const before = cpuTimes([pid]);
  const measured = await runLoad({ ...load, url });
  const { errors, requests } = measured;
  const [first] = load.requests;
  if (errors > 0) throw new Error(`${errors} failed requests: ${first?.method} ${first?.path}`);
  return { ...measured, cpu: cpuBetween(before, cpuTimes([pid])) / requests };
}

export interface Turns {
  ours: Turn[];
  floor: Turn[];
}

/** The first round does not count: the compiler still works on the code. */
export async function takeTurns(
  works: { ours: (length: number) => Promise<Turn>; floor: (length: number) => Promise<Turn> },
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Turns> {
  const turns: Turns = { ours: [], floor: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const length = round === 0 ? 3 : seconds;
    const order = round % 2 === 0 ? (["ours", "floor"] as const) : (["floor", "ours"] as const);
    for (const name of order) {
      const turn = await works[name](length);
      if (round > 0) turns[name].push(turn);
    }
  }
  return turns;
}

/** The middle one of the rounds' ratios, by processor time; in brackets by the clock. Speeds are the best of the rounds. */
export function turnsRow(workload: string, { ours, floor }: Turns, bar: number): Row {
  const each = (ratioOf: (own: Turn, other: Turn) => number) =>
    median(ours.map((own, round) => ratioOf(own, floor[round] as Turn)));
  const ratio = each((own, other) => other.cpu / own.cpu);
  const clock = each((own, other) => own.rate / other.rate);
  return {
    workload,
    cairn: speedOf(ours),
    floor: speedOf(floor),
    ratio: `${ratio.toFixed(2)} (clock ${clock.toFixed(2)})`,
    bar: `>= ${bar}`,
    isMet: ratio >= bar,
  };
}

function speedOf(turns: readonly Turn[]): string {
  const rate = Math.max(...turns.map((turn) => turn.rate));
  const cpu = Math.min(...turns.map((turn) => turn.cpu));
  return `${whole(rate)}/s, ${whole(cpu)} µs`;
}
