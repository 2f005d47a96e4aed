// HAProxy in front of nodes of Cairn, for `npm run test:ha`: the very file of examples/deploy/three-nodes, with the addresses of the test
// and a socket for commands.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureCommand } from "../debian.ts";
import { freePort } from "../free-port.ts";

const shipped = resolve(import.meta.dirname, "../../examples/deploy/three-nodes/haproxy.cfg");

export interface Balancer {
  url: string;
  /** As an operator would before an update: it gets no new requests, or takes part again. The first node is 1. */
  setState(node: number, state: "drain" | "ready"): Promise<void>;
  stop(): Promise<void>;
}

/** `ports`: of the nodes, three at most. Resolves when all of them are in use. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  ensureCommand("haproxy");
  const folder = mkdtempSync(join(tmpdir(), "cairn-balancer-"));
  const port = await freePort();
  const socket = join(folder, "socket");
  const file = join(folder, "haproxy.cfg");
  const text = readFileSync(shipped, "utf8")
    .replace("log stdout format raw local0", `stats socket ${socket} level admin`)
    .replace("log global\n  option httplog\n", "")
    .replace("bind :80", `bind 127.0.0.1:${port}`)
    .replace(/^ {2}server node(\d) \S+$/gm, (_, node) => {
      const at = ports[Number(node) - 1];
      return at === undefined ? "" : `  server node${node} 127.0.0.1:${at}`;
    });
  writeFileSync(file, text);
  const child = spawn("haproxy", ["-f", file], { stdio: "ignore" });
  const abandon = () => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", abandon);
  const command = (line: string): Promise<string> =>
    new Promise((done, failed) => {
      let answer = "";
      const talk = connect(socket, () => talk.write(`${line}\n`));
      talk.on("data", (chunk) => {
        answer += chunk;
      });
      talk.on("error", failed).on("close", () => done(answer));
    });
  // The sixth field of a server is its state: 2 is up.
  const areUp = async () =>
    (await command("show servers state cairn").catch(() => ""))
      .split("\n")
      .map((line) => line.split(" "))
      .filter((fields) => fields[1] === "cairn" && fields[5] === "2").length === ports.length;
  for (const end = performance.now() + 60_000; !(await areUp()); await sleep(100)) {
    if (child.exitCode !== null || performance.now() > end) {
      abandon();
      throw new Error("HAProxy did not find all nodes ready.");
    }
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async setState(node, state) {
      const said = (await command(`set server cairn/node${node} state ${state}`)).trim();
      if (said !== "") throw new Error(said);
    },
    async stop() {
      process.off("exit", abandon);
      abandon();
    },
  };
}
