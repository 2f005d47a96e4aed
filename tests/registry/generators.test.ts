// What others make of the API, with packages from the registry: clients of two generators, compiled and run, and the Astro example.
// It fetches some 300 packages, so it runs only when its part is named: `scripts/test.ts registry`.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { root, type Server, startServer } from "../harness.ts";

const run = promisify(execFile);
let server: Server;
let folder = "";

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cairn-registry-"));
  server = await startServer();
  const made = await server.cli(["site:init", "walks"]);
  assert.equal(made.code, 0, made.stderr);
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A command in a folder of its own, on the Node that runs this test. */
function inFolder(name: string) {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  const env = { ...process.env, CAIRN_URL: server.url, CAIRN_KEY: server.key, ASTRO_TELEMETRY_DISABLED: "1" };
  return {
    cwd,
    write: (file: string, text: string) => writeFileSync(join(cwd, file), text),
    call: async (command: string, ...args: string[]) => (await run(command, args, { cwd, env, maxBuffer: 1e8 })).stdout,
    bin: async (command: string, ...args: string[]) => {
      const path = join(cwd, "node_modules", ".bin", command);
      return (await run(process.execPath, [path, ...args], { cwd, env, maxBuffer: 1e8 })).stdout;
    },
  };
}

const tsconfig = {
  compilerOptions: {
    ...{ target: "es2023", module: "commonjs", moduleResolution: "node10", strict: true, outDir: "out", rootDir: "." },
    ...{ skipLibCheck: true, lib: ["es2023", "dom", "dom.iterable"], types: ["node"] },
  },
};

test("CLIENT-11 clients of two generators compile in strict mode, and read and change objects", async () => {
  const { call, bin, write } = inFolder("generators");
  const packages = ["openapi-typescript@7", "openapi-fetch@0.17", "@hey-api/openapi-ts@0.95", "typescript@5"];
  write("package.json", '{"name":"generators","private":true}');
  await call("npm", "install", "--no-audit", "--no-fund", ...packages, "@types/node@24");
  write("openapi.json", (await server.request("GET", "/api/openapi.json")).text);
  await bin("openapi-typescript", "openapi.json", "-o", "schema.d.ts");
  await bin("openapi-ts", "-i", "openapi.json", "-o", "hey");
  write("tsconfig.json", JSON.stringify({ ...tsconfig, files: ["use-fetch.ts", "use-hey.ts"] }));
  write(
    "use-fetch.ts",
    `import createClient from "openapi-fetch";
     import type { paths } from "./schema";
     const api = createClient<paths>({ baseUrl: process.env.CAIRN_URL!, headers: { "x-api-key": process.env.CAIRN_KEY! } });
     async function main() {
       const list = await api.GET("/api/collections/walks", { params: { query: { limit: 2, sort: "title" } } });
       const titles: string[] = list.data!.data.map((walk) => walk.title!);
       const changed = await api.PATCH("/api/collections/walks/{id}", { params: { path: { id: "alder-water" } }, body: { distance: 12.5 } });
       const distance: number | null | undefined = changed.data!.data.distance;
       const missing = await api.GET("/api/collections/walks/{id}", { params: { path: { id: "nowhere" } } });
       console.log(JSON.stringify([titles.length, distance, missing.response.status]));
     }
     main();`,
  );
  write(
    "use-hey.ts",
    `import { client } from "./hey/client.gen";
     import { getWalks, listWalks, patchWalks } from "./hey";
     client.setConfig({ baseUrl: process.env.CAIRN_URL!, headers: { "x-api-key": process.env.CAIRN_KEY! } });
     async function main() {
       const list = await listWalks({ query: { limit: 2, sort: "title" } });
       const titles: string[] = list.data!.data.map((walk) => walk.title!);
       const changed = await patchWalks({ path: { id: "alder-water" }, body: { distance: 13.5 } });
       const distance: number | null | undefined = changed.data!.data.distance;
       const missing = await getWalks({ path: { id: "nowhere" } });
       console.log(JSON.stringify([titles.length, distance, missing.response!.status]));
     }
     main();`,
  );
  await bin("tsc", "-p", ".").catch((error) => assert.fail(error.stdout));
  assert.deepEqual(JSON.parse(await call(process.execPath, "out/use-fetch.js")), [2, 12.5, 404]);
  assert.deepEqual(JSON.parse(await call(process.execPath, "out/use-hey.js")), [2, 13.5, 404]);
});

test("CLIENT-12 the Astro example builds a page for each walk of the demo", async () => {
  await run(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", join(root, "client")]);
  cpSync(join(root, "examples", "astro"), join(folder, "astro"), { recursive: true });
  cpSync(join(root, "client"), join(folder, "client"), { recursive: true });
  const { cwd, call, bin, write } = inFolder("astro");
  write("package.json", readFileSync(join(cwd, "package.json"), "utf8").replace("../../client", "../client"));
  await call("npm", "install", "--no-audit", "--no-fund");
  await bin("astro", "build");
  const { body } = await server.request("GET", "/api/collections/walks?limit=100", { key: null });
  const walks = body.data as { id: string; title: string }[];
  assert.deepEqual(readdirSync(join(cwd, "dist", "walks")).sort(), walks.map(({ id }) => id).sort());
  const list = readFileSync(join(cwd, "dist", "index.html"), "utf8");
  for (const { id, title } of walks) assert.ok(list.includes(`<a href="/walks/${id}/">${title}</a>`), title);
  const [, image] = /<img src="([^"]+)"/.exec(list) ?? [];
  assert.equal((await fetch((image ?? "").replaceAll("&#38;", "&").replaceAll("&amp;", "&"))).status, 200, image);
  assert.match(
    readFileSync(join(cwd, "dist", "walks", "alder-water", "index.html"), "utf8"),
    /<h1>Alder Water and back<\/h1>/,
  );
});
