// `npm run check`: everything that must hold before a change goes in. Stops at the first thing that does not.
//   --fast       without the tests
//   --left-out   with the tests that `npm test` leaves out, where that has just run
// Compilers and our own scripts run side by side: the former use several cores only now and then, the latter one each. What a step
// prints stands under its name, in one piece.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { resolve } from "node:path";

type Step = [name: string, command: string[]];

const root = resolve(import.meta.dirname, "..");
const script = (name: string, ...args: string[]) => [process.execPath, resolve(root, "scripts", name), ...args];

const compilers: Step[] = [
  ["format and lint", ["biome", "check", "--error-on-warnings"]],
  ["types", ["tsc"]],
  ["types of the admin", ["tsc", "-p", "admin"]],
  ["types of the client", ["tsc", "-p", "client", "--noEmit"]],
];
const scripts: Step[] = [
  ["rooms", script("check-rooms.ts")],
  ["contracts", script("check-contracts.ts")],
  ["evidence", script("check-evidence.ts")],
  ["engines", script("check-engines.ts")],
  ["settings page", script("write-config-docs.ts", "--check")],
  ["routes of the admin", script("check-admin-routes.ts")],
  ["size of the admin", script("check-admin-size.ts")],
];

const running = new Set<ChildProcess>();

async function runSteps(steps: Step[]): Promise<void> {
  for (const [name, [command = "", ...args]] of steps) {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => printed.push(chunk));
    const status = await new Promise<number | null>((done, failed) => {
      child.once("error", failed);
      child.once("close", done);
    });
    running.delete(child);
    process.stdout.write(`== ${name}\n${Buffer.concat(printed)}`);
    if (status === 0) continue;
    console.error(`check failed: ${name}`);
    for (const other of running) other.kill();
    process.exit(1);
  }
}

await Promise.all([runSteps(compilers), runSteps(scripts)]);
if (!process.argv.includes("--fast")) {
  console.log("== tests");
  const which = process.argv.includes("--left-out") ? "--left-out" : "--all";
  const [command = "", ...args] = script("test.ts", which);
  process.exitCode = spawnSync(command, args, { cwd: root, stdio: "inherit" }).status === 0 ? 0 : 1;
}
