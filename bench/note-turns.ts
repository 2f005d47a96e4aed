// Loaded into the server under measurement (`node --import`): notes the processor time of its main thread in each turn of the event
// loop, so that other processes make no difference. At SIGUSR2 it writes them to the file named by TURNS, and begins again.

import { renameSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.TURNS;
/** Shorter ones hold nobody up, in milliseconds. */
const shortest = 0.03;

if (file !== undefined && isMainThread) {
  let turns: number[] = [];
  let before = process.threadCpuUsage();
  const endOfTurn = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1_000;
    if (ms > shortest) turns.push(ms);
    before = process.threadCpuUsage();
    setImmediate(endOfTurn).unref();
  };
  setImmediate(endOfTurn).unref();
  process.on("SIGUSR2", () => {
    writeFileSync(`${file}.new`, JSON.stringify(turns));
    renameSync(`${file}.new`, file);
    turns = [];
  });
}
