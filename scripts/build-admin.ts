// Builds the admin web app into admin/dist, when it is missing or older than its sources.
//   node scripts/build-admin.ts [--force]
// The new build takes the place of the old one in one step, so that a running server never sees half of it.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { adminDist, installationRoot, isAdminFresh } from "#installation/admin-freshness.ts";

const lock = join(installationRoot, "admin", ".building");
/** A build that was killed leaves its lock; no build takes this long. */
const staleLock = 120_000;

/** True when it built, false when there was nothing to do. */
export async function buildAdmin({ force = false } = {}): Promise<boolean> {
  if (!force && (await isAdminFresh())) return false;
  await takeLock();
  try {
    // Another process may have built it meanwhile.
    if (!force && (await isAdminFresh())) return false;
    const started = Date.now();
    const { build } = await import("vite");
    const fresh = `${adminDist}.new`;
    rmSync(fresh, { recursive: true, force: true });
    await build({
      configFile: join(installationRoot, "admin", "vite.config.ts"),
      logLevel: "warn",
      build: { outDir: fresh, emptyOutDir: true },
    });
    compress(fresh);
    writeFileSync(join(fresh, "built"), "");
    // Not older than a source that was saved while this ran, but never newer than the start.
    utimesSync(join(fresh, "built"), new Date(started), new Date(started));
    const old = `${adminDist}.old`;
    rmSync(old, { recursive: true, force: true });
    if (existsSync(adminDist)) renameSync(adminDist, old);
    renameSync(fresh, adminDist);
    rmSync(old, { recursive: true, force: true });
    return true;
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

async function takeLock(): Promise<void> {
  for (;;) {
    try {
      mkdirSync(lock);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) > staleLock)
      rmSync(lock, { recursive: true, force: true });
    else await sleep(200);
  }
}

const compressible = /\.(js|css|html|svg|json)$/;

/** Beside each file its brotli and gzip form, where they are smaller. */
function compress(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!compressible.test(name) || name === "index.html") continue;
    const bytes = readFileSync(join(folder, name));
    const smaller = {
      br: brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      }),
      gz: gzipSync(bytes, { level: 9 }),
    };
    for (const [ending, packed] of Object.entries(smaller))
      if (packed.length < bytes.length) writeFileSync(join(folder, `${name}.${ending}`), packed);
  }
}

if (import.meta.main) {
  const started = performance.now();
  const hasBuilt = await buildAdmin({ force: process.argv.includes("--force") });
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(hasBuilt ? `The admin web app was built in ${seconds} s.` : "The admin web app is built already.");
}
