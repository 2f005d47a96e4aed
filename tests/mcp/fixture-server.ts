// Starts the server that offers the test suites' tools instead of the product's. It carries; it never asserts.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { cleanEnvironment, root } from "../harness.ts";

export interface Fixture {
  url: string;
  stop(): Promise<void>;
}

export async function startFixture(dataDir: string): Promise<Fixture> {
  const program = join(root, "scripts", "mcp-conformance-server.ts");
  const child = spawn(process.execPath, [program], { env: cleanEnvironment({ CAIRN_DATA: dataDir }) });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      const found = /ready at (\S+)/.exec(String(chunk));
      if (found) resolve(found[1] as string);
    });
    child.once("exit", () => reject(new Error(`the server did not start\n${errors}`)));
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
