// What an automation costs its caller: a synchronous webhook, handler in the sandbox and run stored, against a bare POST.

import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { send } from "../tests/harness.ts";
import { finish, start } from "./processes.ts";
import type { Row } from "./table.ts";

const rounds = 200;
const most = 15;
const body = { name: "Ada", text: "hello" };

export async function benchWebhooks(add: (row: Row) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-bench-"));
  const env = { CAIRN_DATA: join(folder, "data"), CAIRN_LOG_LEVEL: "error" };
  const cli = (...args: string[]) => finish("src/main.ts", args, env);
  const { key } = JSON.parse(await cli("key:create", "--name", "bench", "--json")) as { key: string };
  await cli("settings:set", "automations.webhookLimit", "0");
  const cairn = await start("src/main.ts", ["serve", "--port", "0"], env);
  const floor = await start("bench/floor-hook.ts", []);
  const agent = new Agent({ keepAlive: true });
  const record = {
    id: "echo",
    triggers: [{ id: "hook", type: "webhook", sync: true }],
    handler: "export default async (ctx) => ({ args: ctx.args })",
  };
  const headers = { "x-api-key": key };
  await send(agent, cairn.url, "POST", "/api/collections/automations", { body: record, headers });

  async function time(url: string, path: string): Promise<number> {
    const started = performance.now();
    const { status, text } = await send(agent, url, "POST", path, { body });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return performance.now() - started;
  }
  for (let round = 0; round < 20; round += 1) {
    await time(cairn.url, "/automations/echo");
    await time(floor.url, "/hook");
  }
  const [ours, bare]: [number[], number[]] = [[], []];
  // In turns, so that a busy moment of the machine meets both.
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await time(cairn.url, "/automations/echo"));
    bare.push(await time(floor.url, "/hook"));
  }
  const [p50, floorP50] = [median(ours), median(bare)];
  add({
    workload: "synchronous webhook, p50, against a bare POST",
    cairn: `${p50.toFixed(2)} ms`,
    floor: `${floorP50.toFixed(2)} ms`,
    ratio: `+ ${(p50 - floorP50).toFixed(2)} ms`,
    bar: `+ ${most} ms`,
    isMet: p50 - floorP50 <= most,
  });
  agent.destroy();
  await cairn.stop();
  await floor.stop();
  rmSync(folder, { recursive: true, force: true });
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] as number;
}
