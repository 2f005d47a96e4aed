// Real web servers before one Cairn, for tests: each runs the very file that `cairn server:config` prints, in a temporary folder,
// beside the settings that Debian gives it. Debian's own service is never started or stopped.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureCommand } from "./debian.ts";

export const frontKinds = ["nginx", "apache", "htaccess", "caddy"] as const;
export type FrontKind = (typeof frontKinds)[number];

export interface Front {
  url: string;
  pid: number;
  /** What it has written to its log. */
  log(): string;
  stop(): Promise<void>;
}

export interface FrontFile {
  /** As printed for `port` and `publicDir`. */
  text: string;
  port: number;
  publicDir: string;
}

export async function startFront(kind: FrontKind, file: FrontFile): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), `cairn-${kind}-`));
  const [command, ...args] = prepare[kind](folder, file);
  const log = join(folder, "error.log");
  const child = spawn(command as string, args, {
    stdio: "ignore",
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder },
  });
  const url = `http://127.0.0.1:${file.port}`;
  await answers(url, child, () => `${kind} ended at its start: ${readFileSync(log, "utf8")}`);
  return {
    url,
    pid: child.pid as number,
    log: () => readFileSync(log, "utf8"),
    async stop() {
      const ended = new Promise<void>((done) => child.once("exit", () => done()));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const prepare: Record<FrontKind, (folder: string, file: FrontFile) => string[]> = {
  nginx(folder, { text }) {
    ensureCommand("nginx", "nginx-light");
    write(folder, "nginx.conf", nginxMain(folder, text));
    return ["nginx", "-c", join(folder, "nginx.conf"), "-p", folder, "-e", join(folder, "error.log")];
  },
  apache(folder, { text, port }) {
    write(folder, "site.conf", text);
    return startApache(folder, port, `Include "${join(folder, "site.conf")}"`);
  },
  htaccess(folder, { text, port, publicDir }) {
    write(publicDir, ".htaccess", text);
    const [, lines = ""] = /or Apache reads no file.*?:\n((?:# {3}.*\n)+)/.exec(text) ?? [];
    const host = `DocumentRoot "${publicDir}"\n<Directory "${publicDir}">\nOptions FollowSymLinks\nRequire all granted\n</Directory>`;
    return startApache(
      folder,
      port,
      `<VirtualHost *:${port}>\n${host}\n${lines.replace(/^# {3}/gm, "")}</VirtualHost>`,
    );
  },
  caddy(folder, { text }) {
    ensureCommand("caddy");
    const global = `{\n  admin off\n  grace_period 1s\n  log {\n    output file ${join(folder, "error.log")}\n    level ERROR\n  }\n}\n`;
    write(folder, "Caddyfile", global + text);
    write(folder, "error.log", "");
    return ["caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
  },
};

function write(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** One process that stays in the foreground, so that what it costs can be measured and it ends with us. */
export function nginxMain(folder: string, site: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join("\n  ");
  return `
${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
master_process off;
pid ${join(folder, "nginx.pid")};
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  sendfile on;
  gzip on;
  keepalive_requests 1000000;
  ${temporary}
${site}
}
`;
}

/** As apache2.conf of Debian: its modules, its limits, and compression switched on. */
const apacheModules =
  "mpm_event authn_core authz_core authz_host mime dir alias env setenvif filter deflate reqtimeout headers proxy proxy_http rewrite";

function startApache(folder: string, port: number, site: string): string[] {
  ensureCommand("apache2", "apache2-bin");
  const modules = apacheModules
    .split(" ")
    .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
    .join("\n");
  const main = `
ServerRoot "${folder}"
DefaultRuntimeDir "${folder}"
PidFile "${join(folder, "apache.pid")}"
ErrorLog "${join(folder, "error.log")}"
ServerName localhost
Listen 127.0.0.1:${port}
${modules}
${process.getuid?.() === 0 ? "User www-data\nGroup www-data" : ""}
TypesConfig /etc/mime.types
Timeout 300
KeepAlive On
StartServers 1
<Directory />
  Options FollowSymLinks
  AllowOverride None
  Require all denied
</Directory>
<FilesMatch "^\\.ht">
  Require all denied
</FilesMatch>
AddOutputFilterByType DEFLATE text/html text/plain text/css text/javascript application/json application/javascript
${site}
`;
  write(folder, "apache.conf", main);
  write(folder, "error.log", "");
  return ["apache2", "-D", "FOREGROUND", "-f", join(folder, "apache.conf"), "-E", join(folder, "error.log")];
}

async function answers(url: string, child: ChildProcess, reason: () => string): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await sleep(20)) {
    if (child.exitCode !== null) throw new Error(reason());
    try {
      await (await fetch(`${url}/healthz`)).arrayBuffer();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
