// `npm run check`: everything that must hold before a change goes in. Stops at the first thing that does not.
//   --fast   without the tests

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const script = (name: string, ...args: string[]) => [process.execPath, resolve(root, "scripts", name), ...args];

const steps: [name: string, command: string[]][] = [
  ["format and lint", ["biome", "check", "--error-on-warnings"]],
  ["types", ["tsc"]],
  ["types of the admin", ["tsc", "-p", "admin"]],
  ["types of the client", ["tsc", "-p", "client", "--noEmit"]],
  ["rooms", script("check-rooms.ts")],
  ["contracts", script("check-contracts.ts")],
  ["evidence", script("check-evidence.ts")],
  ["settings page", script("write-config-docs.ts", "--check")],
  ["routes of the admin", script("check-admin-routes.ts")],
  ["size of the admin", script("check-admin-size.ts")],
  ["tests", script("test.ts")],
];

for (const [name, [command, ...args]] of steps) {
  if (name === "tests" && process.argv.includes("--fast")) continue;
  console.log(`== ${name}`);
  const { status } = spawnSync(command as string, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    if (name !== "tests") console.error(`check failed: ${name}`);
    process.exit(1);
  }
}
