// The MCP project's own suite for authorization servers, run as its users run it; a person approves by the consent form.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freePort } from "../../scripts/free-port.ts";
import { root, type Server, startServer } from "../harness.ts";
import { decide, makeClient } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const suite = join(root, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

let server: Server;
let person: Person;
before(async () => {
  server = await startServer({ hasOAuth: true });
  await makeUser(server, "edith", ["editor"]);
  person = await signIn(server, "edith");
});
after(() => server.stop());

/** Runs the suite; whatever link it prints for a person is opened, approved, and followed back. */
async function runSuite(args: string[], signal: AbortSignal): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [suite, "authorization", ...args], { cwd: root, signal });
  // Of being ended with the test.
  child.on("error", () => {});
  let output = "";
  let isApproved = false;
  const follow = async (link: string) => {
    const answer = await decide(person, Object.fromEntries(new URL(link).searchParams));
    await fetch(answer.headers.get("location") ?? "");
  };
  const listen = (chunk: Buffer) => {
    output += chunk;
    // To its end, which may come with the next chunk.
    const link = /(https?:\/\/\S+\/oauth\/authorize\?\S+)\s/.exec(output)?.[1];
    if (!link || isApproved) return;
    isApproved = true;
    follow(link).catch((error) => {
      output += String(error);
      child.kill();
    });
  };
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, output };
}

test("TOK-62 the MCP conformance suite for authorization servers passes wholly", async (t) => {
  const port = await freePort();
  const { id } = await makeClient(server, { redirectUris: [`http://127.0.0.1:${port}/callback`] });
  const args = ["--url", server.url, "--client-id", id, "--resource", `${server.url}/mcp`, "-p", String(port)];
  const { code, output } = await runSuite(args, t.signal);
  t.diagnostic(output.split("=== SUMMARY ===")[1] ?? "no summary");
  assert.equal(code, 0, output);
  const [, passed, failed] = /^Total: (\d+) passed, (\d+) failed/m.exec(output) ?? [];
  assert.ok(Number(passed) >= 2, output);
  assert.equal(failed, "0", output);
});
