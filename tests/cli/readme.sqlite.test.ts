// The README's first five minutes, run as they are written, against a server of this test.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { root, type Server, startServer } from "../harness.ts";

let server: Server;

before(async () => {
  server = await startServer();
});
after(() => server.stop());

test("START-19 every command of the README works as it is written", async () => {
  const page = readFileSync(join(root, "README.md"), "utf8");
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  const script = blocks.join("\necho '---'\n").replaceAll("http://127.0.0.1:8080", server.url);
  const { stdout, stderr } = await promisify(execFile)("bash", ["--norc", "-eu", "-c", script], {
    cwd: root,
    env: server.env,
  });
  assert.equal(stderr, "");
  const [, definitions, writes, found, refused, opened] = stdout.split("---\n");
  assert.match(definitions as string, /"id":"article".*"data":\{"id":"news"/s);
  assert.match(
    writes as string,
    /"id":"a-path-of-stones".*"title":"A path of old stones".*\{"property":"views","value":1\}/s,
  );
  assert.match(found as string, /\{"data":\[\{"id":"a-path-of-stones".*"total":1/s);
  assert.match(refused as string, /"code":400.*"title":\[.*"views":\[/s);
  assert.match(opened as string, /"publicOperations":\["read"\].*\{"data":\[\{"id":"a-path-of-stones".*\]\}id,title,/s);
});
