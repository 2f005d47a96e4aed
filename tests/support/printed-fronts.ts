// One Cairn behind Apache, nginx and Caddy, each with the very file that `cairn server:config` prints. Its data directory lies among
// the files of the site, and nothing but the web servers keeps it closed. It builds and carries; it never asserts.

import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server as Upstream } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { until } from "#base/patience.fixture.ts";
import { freePort } from "../../scripts/free-port.ts";
import { type Front, type FrontKind, frontKinds, startFront } from "../../scripts/fronts.ts";
import { type Server, startServer } from "../harness.ts";
import { mebibyte } from "./front-requests.ts";
import { buildingEnvironment, makeInstallation } from "./own-installation.ts";
import { upload } from "./sample-files.ts";
import { makeUser } from "./sign-in.ts";

const site = mkdtempSync(join(tmpdir(), "cairn-fronts-"));
export const publicDir = join(site, "public");
const dataDir = join(publicDir, "private", "content");
/** Of a file of the site with a compressed form. */
export const style = "main { color: red }\n".repeat(200);
/** Of the file of the object `papers/a`. */
export const bytes = randomBytes(300_000);

export interface PrintedFronts {
  server: Server;
  /** The folder of its installation. */
  installation: string;
  fronts: Record<FrontKind, Front>;
  /** The same files, before a server that answers with what reaches it. */
  echoes: Record<FrontKind, Front>;
  close(): Promise<void>;
}

export async function startPrintedFronts(): Promise<PrintedFronts> {
  makeFiles();
  const installation = makeInstallation();
  writeFileSync(join(installation, "go"), "");
  const port = await freePort();
  const server = await startServer({
    dataDir,
    installation,
    hasOAuth: true,
    args: ["--port", String(port)],
    settings: { publicDir, api: { rateLimit: 0 }, files: { maxUploadSize: 1_100 * mebibyte } },
    env: {
      ...buildingEnvironment(installation),
      ...{ CAIRN_URL: "https://cms.example.org", CAIRN_TRUST_PROXY: "127.0.0.1" },
    },
  });
  chmodSync(dataDir, 0o755);
  const properties = { id: { type: "slug" }, title: { field: "text" }, file: { type: "file" } };
  await server.makeSchema({ id: "paper", properties });
  await server.makeCollection({ id: "papers", schema: "paper", mcp: { access: "public", resource: true } });
  for (const id of ["a", ...frontKinds]) await server.request("POST", "/api/collections/papers", { body: { id } });
  await upload(server, "papers/a/file", { name: "a b.bin", bytes });
  await makeUser(server, "ada");
  await until(() => server.stderr.includes("The admin web app is ready"));
  const echo = await startEcho();
  const startAll = async (upstream: number, folderOf: (kind: FrontKind) => string) => {
    const started = frontKinds.map(async (kind) => [
      kind,
      await startPrinted(server, kind, { upstream, folder: folderOf(kind) }),
    ]);
    return Object.fromEntries(await Promise.all(started)) as Record<FrontKind, Front>;
  };
  const fronts = await startAll(port, () => publicDir);
  const echoes = await startAll((echo.address() as AddressInfo).port, () => mkdtempSync(join(site, "echo-")));
  return {
    ...{ server, installation, fronts, echoes },
    async close() {
      await Promise.all([...Object.values(fronts), ...Object.values(echoes)].map((front) => front.stop()));
      echo.closeAllConnections();
      echo.close();
      await server.stop();
      for (const folder of [site, installation]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeFiles(): void {
  const folders = ["docs", "empty", ".well-known", "admin", "data"].map((name) => join(publicDir, name));
  for (const folder of [dataDir, ...folders]) mkdirSync(folder, { recursive: true });
  const files = {
    "hello.txt": "0123456789",
    "with space ü.txt": "spaced",
    "docs/index.html": "<h1>Docs</h1>",
    ".env": "secret marker",
    ".well-known/security.txt": "Contact: us",
    "admin/site.js": "secret marker",
    "data/x": "secret marker",
    "style.css": style,
    "style.css.br": brotliCompressSync(style),
    "private/content/marker.txt": "secret marker",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(publicDir, name), text);
  symlinkSync(join(dataDir, "marker.txt"), join(publicDir, "link-data.txt"));
  symlinkSync(dataDir, join(publicDir, "link-folder"));
  symlinkSync(join(publicDir, "hello.txt"), join(publicDir, "link-in.txt"));
  chmodSync(site, 0o755);
}

function startEcho(): Promise<Upstream> {
  const upstream = createServer(({ url = "", headers }, response) => {
    response.setHeader("x-request-id", "echo").end(JSON.stringify({ url, headers }));
  });
  return new Promise((done) => upstream.listen(0, "127.0.0.1", () => done(upstream)));
}

interface Places {
  /** The port of the server behind it. */
  upstream: number;
  folder: string;
}

async function startPrinted(server: Server, kind: FrontKind, { upstream, folder }: Places): Promise<Front> {
  const port = await freePort();
  chmodSync(folder, 0o755);
  const places = ["--domain", `127.0.0.1:${port}`, "--public", folder, "--upstream", `127.0.0.1:${upstream}`];
  const name = kind === "htaccess" ? ["apache", "--htaccess"] : [kind];
  const { code, stdout, stderr } = await server.cli(["server:config", ...name, ...places]);
  if (code !== 0) throw new Error(`server:config ${name} failed: ${stderr}`);
  return startFront(kind, { text: stdout, port, publicDir: folder });
}

/** What is commonly wrong, all at once. */
export const badNginx = (server: Server, port: number) => `server {
  listen ${port};
  root ${publicDir};
  gzip on;
  gzip_proxied any;
  gzip_min_length 10;
  large_client_header_buffers 4 4k;
  proxy_intercept_errors on;
  error_page 404 /hello.txt;
  proxy_set_header X-Forwarded-For $http_x_forwarded_for;
  proxy_set_header X-API-Key "";
  proxy_set_header Authorization "";
  location / {
    try_files $uri @cairn;
    limit_except GET POST { deny all; }
  }
  location /oauth/ { return 404; }
  location = /healthz { proxy_pass ${server.url}; }
  location @cairn {
    rewrite ^(.*)$ $1 break;
    proxy_pass ${server.url};
  }
}`;
