// The protocol's own test suites against the product's transport, offering the tools that the suites ask for
// (scripts/mcp-conformance-server.ts). Extensions are not offered, and so not run.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { cleanEnvironment, root } from "../harness.ts";
import { type Fixture, startFixture } from "./fixture-server.ts";

const newest = "@modelcontextprotocol/conformance";
const patient = ["--timeout", "120000"];
const folder = mkdtempSync(join(tmpdir(), "cairn-conformance-"));
let server: Fixture;
/** They wait more than they work, so they run side by side. */
let runs: Promise<Outcome>[];

before(async () => {
  mkdirSync(join(folder, ".system"));
  const settings = { mcp: { publicAccess: true, publicIpPerMinute: 0 } };
  writeFileSync(join(folder, ".system", "settings.json"), JSON.stringify(settings));
  server = await startFixture(folder);
  runs = [
    run("conformance-stable", ["--suite", "all"]),
    run(newest, ["--requirements", "2025-11-25", ...patient]),
    run(newest, ["--requirements", "2026-07-28", ...patient]),
  ];
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

interface Outcome {
  /** Name -> passed and failed checks. */
  scenarios: Map<string, [passed: number, failed: number]>;
  text: string;
}

/** What the suite prints. */
function ask(suite: string, args: string[]): Promise<string> {
  const program = join(root, "node_modules", suite, "dist", "index.js");
  const options = { cwd: folder, env: cleanEnvironment({}), maxBuffer: 100_000_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, "server", "--url", `${server.url}/mcp`, ...args], options, (_error, text) =>
      resolve(text),
    );
  });
}

async function run(suite: string, args: string[]): Promise<Outcome> {
  const text = await ask(suite, args);
  const found = text.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$/gm);
  const scenarios = new Map([...found].map(([, name = "", ...counts]) => [name, counts.map(Number)]));
  return { scenarios: scenarios as Outcome["scenarios"], text };
}

const failures = ({ scenarios }: Outcome) =>
  [...scenarios].filter(([name, [, failed]]) => failed > 0 && !name.startsWith("tasks-")).map(([name]) => name);
const passed = ({ scenarios }: Outcome) => [...scenarios.values()].reduce((sum, [count]) => sum + count, 0);

test("MCP-3 every scenario of 2025-11-25 in the stable suite passes", async () => {
  const outcome = await (runs[0] as Promise<Outcome>);
  assert.deepEqual(failures(outcome), []);
  assert.equal(outcome.scenarios.size, 32, outcome.text.slice(-2_000));
  assert.ok(passed(outcome) >= 44);
});

test("MCP-3 MCP-25 every scenario of 2025-11-25 in the newest suite passes", async () => {
  const outcome = await (runs[1] as Promise<Outcome>);
  assert.deepEqual(failures(outcome), []);
  assert.equal(outcome.scenarios.size, 33, outcome.text.slice(-2_000));
  assert.ok(passed(outcome) >= 84);
  assert.deepEqual(outcome.scenarios.get("server-sse-polling"), [3, 0]);
});

test("MCP-3 every scenario of 2026-07-28 that is not an extension passes", async () => {
  const outcome = await (runs[2] as Promise<Outcome>);
  assert.deepEqual(failures(outcome), []);
  const required = [...outcome.scenarios.keys()].filter((name) => !name.startsWith("tasks-"));
  assert.equal(required.length, 40, outcome.text.slice(-2_000));
  assert.ok(passed(outcome) >= 150);
  const [count, failed] = outcome.scenarios.get("server-stateless") as [number, number];
  assert.ok(count <= 30 && failed === 0, `${count} passed, ${failed} failed`);
  // It waits a second for a notice and then only warns: on a busy machine it is asked again, alone.
  const again = () => ask(newest, ["--scenario", "server-stateless", "--spec-version", "2026-07-28", ...patient]);
  if (count < 30) await until(again, (text) => text.includes("Passed: 30/30, 0 failed, 0 warnings"));
});
