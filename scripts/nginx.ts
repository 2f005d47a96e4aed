// A private nginx before one Cairn, for tests and benchmarks: a temporary folder, a free loopback port, and the very
// blocks that docs/guides/operations.md and serving-files.md show. It also serves the same files by itself under /plain/.

import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureCommand } from "./debian.ts";

export interface Front {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface FrontOptions {
  /** Where the Cairn behind it listens. */
  url: string;
  dataDir: string;
}

export async function startNginx({ url, dataDir }: FrontOptions): Promise<Front> {
  ensureCommand("nginx", "nginx-light");
  const folder = mkdtempSync(join(tmpdir(), "cairn-nginx-"));
  const port = await freePort();
  writeFileSync(join(folder, "nginx.conf"), configuration({ url, dataDir, folder, port }));
  const args = ["-c", join(folder, "nginx.conf"), "-p", folder, "-e", join(folder, "error.log")];
  const child = spawn("nginx", args, { stdio: "ignore" });
  const front = `http://127.0.0.1:${port}`;
  await answers(front, child);
  return {
    url: front,
    pid: child.pid as number,
    async stop() {
      const ended = new Promise<void>((done) => child.once("exit", () => done()));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Places {
  url: string;
  dataDir: string;
  folder: string;
  port: number;
}

/** One process that stays in the foreground, so that what it costs can be measured and it ends with us. */
function configuration({ url, dataDir, folder, port }: Places): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join("\n  ");
  return `
user root;
daemon off;
master_process off;
pid ${join(folder, "nginx.pid")};
events { worker_connections 512; }
http {
  access_log off;
  sendfile on;
  keepalive_requests 1000000;
  ${temporary}
${guideBlock({ url, dataDir, port })}
}
`;
}

/** As printed, but for the ports, the data directory and /plain/. */
function guideBlock({ url, dataDir, port }: Omit<Places, "folder">): string {
  const [server = ""] = nginxBlocks("operations.md");
  const [handover = ""] = nginxBlocks("serving-files.md");
  const more = `${handover}location /plain/ { alias ${dataDir}/; }\n`;
  const places = {
    "127.0.0.1:8080": new URL(url).host,
    "listen 80;": `listen 127.0.0.1:${port};`,
    "/var/lib/cairn": dataDir,
  };
  const whole = server.replace(/\}\s*$/, `${more}}\n`);
  return Object.entries(places).reduce((text, [printed, used]) => {
    if (!text.includes(printed)) throw new Error(`The guides no longer print ${printed}.`);
    return text.replaceAll(printed, used);
  }, whole);
}

function nginxBlocks(guide: string): string[] {
  const page = readFileSync(join(import.meta.dirname, "..", "docs", "guides", guide), "utf8");
  return [...page.matchAll(/^```nginx\n(.*?)^```/gms)].map(([, block]) => block as string);
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + 10_000; ; await sleep(20)) {
    if (child.exitCode !== null) throw new Error(`nginx ended with code ${child.exitCode} at its start.`);
    try {
      await (await fetch(`${url}/healthz`)).arrayBuffer();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Below those that the system gives out by itself, so that nobody else gets it before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, "127.0.0.1");
    const isFree = await new Promise<boolean>((done) => {
      probe.once("error", () => done(false)).once("listening", () => probe.close(() => done(true)));
    });
    if (isFree) return port;
  }
}
