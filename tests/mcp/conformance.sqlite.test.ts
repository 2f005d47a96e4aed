// The protocol's own test suites against the product's transport, offering the tools that the suites ask for
// (scripts/mcp-conformance-server.ts). Extensions are not offered, and so not run.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cleanEnvironment, root } from "../harness.ts";
import { type Fixture, startFixture } from "./fixture-server.ts";

/** The stable suite asks for less than the newest one does: in a full run only. */
const isFull = process.env.CAIRN_TEST_FULL === "1";
const stable = "conformance-stable";
const newest = "@modelcontextprotocol/conformance";
const patient = ["--timeout", "120000"];
const folder = mkdtempSync(join(tmpdir(), "cairn-conformance-"));
let server: Fixture;
/** They wait more than they work, so they run side by side. */
let runs: { stable: Promise<Outcome> | undefined; former: Promise<Outcome>; current: Promise<Outcome> };

before(async () => {
  mkdirSync(join(folder, ".system"));
  const settings = { mcp: { publicAccess: true, publicIpPerMinute: 0 } };
  writeFileSync(join(folder, ".system", "settings.json"), JSON.stringify(settings));
  server = await startFixture(folder);
  runs = {
    stable: isFull ? run(stable, ["--suite", "all"]) : undefined,
    former: run(newest, ["--requirements", "2025-11-25", ...patient]),
    current: run(newest, ["--requirements", "2026-07-28", ...patient]),
  };
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
function ask(suite: string, args: string[], node: string[] = []): Promise<string> {
  const program = join(root, "node_modules", suite, "dist", "index.js");
  const options = { cwd: folder, env: cleanEnvironment({}), maxBuffer: 100_000_000 };
  const asked = [...node, program, "server", "--url", `${server.url}/mcp`, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, asked, options, (_error, text) => resolve(text));
  });
}

async function run(suite: string, args: string[]): Promise<Outcome> {
  const text = await ask(suite, args);
  const found = text.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$/gm);
  const scenarios = new Map([...found].map(([, name = "", ...counts]) => [name, counts.map(Number)]));
  return { scenarios: scenarios as Outcome["scenarios"], text };
}

const stretched = ["--import", join(root, "tests", "support", "stretch-timers.ts")];

/** The suites wait a second or two for a message: on a busy machine a scenario is asked again, alone, with more time. */
async function passesAlone(suite: string, scenario: string, version: string[]): Promise<boolean> {
  const text = await ask(suite, ["--scenario", scenario, ...version], stretched);
  return / 0 failed, 0 warnings/.test(text);
}

interface Asked {
  suite: string;
  version: string[];
  /** Of scenarios that only warn when something does not happen: how many checks pass when it does. */
  complete?: Record<string, number>;
}

/** The scenarios that do not pass, but for extensions. */
async function failures({ scenarios }: Outcome, { suite, version, complete = {} }: Asked): Promise<string[]> {
  const missed = [...scenarios].filter(
    ([name, [passed, failed]]) => !name.startsWith("tasks-") && (failed > 0 || passed < (complete[name] ?? 0)),
  );
  const failed: string[] = [];
  for (const [name] of missed) if (!(await passesAlone(suite, name, version))) failed.push(name);
  return failed;
}
const checks = ({ scenarios }: Outcome) => [...scenarios.values()].reduce((sum, [a, b]) => sum + a + b, 0);

if (isFull)
  test("MCP-3 every scenario of 2025-11-25 in the stable suite passes", async () => {
    const outcome = await (runs.stable as Promise<Outcome>);
    assert.deepEqual(await failures(outcome, { suite: stable, version: [] }), []);
    assert.equal(outcome.scenarios.size, 32, outcome.text.slice(-2_000));
    assert.ok(checks(outcome) >= 40);
  });

test("MCP-3 MCP-25 every scenario of 2025-11-25 in the newest suite passes", async () => {
  const outcome = await runs.former;
  const version = ["--spec-version", "2025-11-25", ...patient];
  assert.deepEqual(await failures(outcome, { suite: newest, version, complete: { "server-sse-polling": 3 } }), []);
  assert.equal(outcome.scenarios.size, 33, outcome.text.slice(-2_000));
  assert.ok(outcome.scenarios.has("server-sse-polling"));
  assert.ok(checks(outcome) >= 80);
});

test("MCP-3 every scenario of 2026-07-28 that is not an extension passes", async () => {
  const outcome = await runs.current;
  const version = ["--spec-version", "2026-07-28", ...patient];
  assert.deepEqual(await failures(outcome, { suite: newest, version, complete: { "server-stateless": 30 } }), []);
  const required = [...outcome.scenarios.keys()].filter((name) => !name.startsWith("tasks-"));
  assert.equal(required.length, 40, outcome.text.slice(-2_000));
  assert.ok(outcome.scenarios.has("server-stateless"));
  assert.ok(checks(outcome) >= 150);
});
