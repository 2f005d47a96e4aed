// site:warm: asks a running server for the pages of the site, so that visitors find them in its memory.

import { setTimeout as sleep } from "node:timers/promises";
import { sitePaths } from "#admin/site-check/site-paths.ts";
import { fail } from "#base/errors.ts";
import type { Call } from "#cli/call.ts";
import { withProgress } from "#cli/progress.ts";
import { UsageError } from "#cli/usage.ts";
import type { Settings } from "#config/config.ts";

/** Of one collection. */
const maxObjects = 5_000;
/** As many as a server renders at once on two cores; visitors come first. */
const concurrency = 4;
const timeoutMs = 30_000;
const maxWaitSeconds = 60;

interface Asked {
  path: string;
  status: number;
}

/** 1 when a page fails. */
export async function warmSite(call: Call, _options: object, address?: string): Promise<number> {
  const base = address === undefined ? ownAddress(await call.savedSettings()) : readAddress(address);
  const paths = await call.work((ctx) => sitePaths(ctx, maxObjects));
  const asked = await withProgress(call.host.stderr, "Pages", (report) => askAll(base, paths, report));
  const failed = asked.filter(({ status }) => status >= 500);
  if (call.isJson) await call.out.json({ pages: asked.length, failed: failed as never });
  else {
    for (const { path, status } of failed) await call.out.line(`${path} could not be made (status ${status}).`);
    await call.out.line(`${asked.length} pages were asked for, ${failed.length} of them failed.`);
  }
  return failed.length === 0 ? 0 : 1;
}

async function askAll(base: URL, paths: readonly string[], report: (count: number) => void): Promise<Asked[]> {
  const asked: Asked[] = [];
  const waiting = paths[Symbol.iterator]();
  const work = async () => {
    for (const path of waiting) {
      asked.push({ path, status: await ask(new URL(path, base)) });
      report(asked.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return asked;
}

/** Waits where the server renders no more for this address in the present minute. */
async function ask(url: URL): Promise<number> {
  const headers = { accept: "text/html", "user-agent": "Cairn site:warm" };
  for (;;) {
    const options = { headers, redirect: "manual" as const, signal: AbortSignal.timeout(timeoutMs) };
    const answer = await fetch(url, options).catch(() => undefined);
    if (!answer)
      fail("unavailable", `No server answers at ${url.origin}. Start it, or name its address: cairn site:warm URL`);
    await answer.arrayBuffer();
    if (answer.status !== 429) return answer.status;
    await sleep(1_000 * Math.min(Math.max(1, Number(answer.headers.get("retry-after")) || 1), maxWaitSeconds));
  }
}

function ownAddress(settings: Settings): URL {
  const host = settings.get("host");
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return new URL(`http://${reached}:${settings.get("port")}`);
}

function readAddress(address: string): URL {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "")
    throw new UsageError("The address must be a URL such as https://example.org.");
  return url;
}
