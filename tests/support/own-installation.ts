// An installation of Cairn in a folder of its own, for tests of the build of the admin. Its build script waits until the file
// `go` is there, writes a few small files, and fails where there is a file `mistake`.

import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../harness.ts";

export const asset = "assets/main-1a2b3c4d.js";
export const script = "console.log('stones');\n".repeat(100);

const buildScript = `
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
const place = new URL("../", import.meta.url).pathname;
while (!existsSync(place + "go")) await sleep(20);
if (existsSync(place + "mistake")) {
  console.error("main.tsx has a mistake in line 7.");
  process.exit(1);
}
const script = ${JSON.stringify(script)};
mkdirSync(place + "admin/dist/assets", { recursive: true });
const write = (name, text) => writeFileSync(place + "admin/dist/" + name, text);
write("${asset}", script);
write("${asset}.br", brotliCompressSync(script));
write("${asset}.gz", gzipSync(script));
const nonce = '<meta property="csp-nonce" nonce="__CSP_NONCE__">';
write("index.html", '<!doctype html><html lang="en"><head>' + nonce + '<title>Cairn</title></head><body></body></html>');
write("built", "");
`;

/** Resolves to its folder; the caller removes it. */
export function makeInstallation(): string {
  const place = mkdtempSync(join(tmpdir(), "cairn-installation-"));
  for (const name of ["src", "package.json", "admin/src/styles"])
    cpSync(join(root, name), join(place, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  mkdirSync(join(place, "scripts"));
  writeFileSync(join(place, "admin/src/main.tsx"), "");
  writeFileSync(join(place, "scripts/build-admin.ts"), buildScript);
  return place;
}

/** Compiled code of a folder that is soon gone stays there. */
export function buildingEnvironment(place: string): Record<string, string> {
  return { CAIRN_ADMIN_BUILD: "true", NODE_COMPILE_CACHE: join(place, "cache") };
}
