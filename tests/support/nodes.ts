// Several nodes behind a proxy that takes the next one with every request: black-box files run through it by hand, with
// CAIRN_TEST_NODES=3 on PostgreSQL. Each node has a data directory of its own, empty at first, and files are in a bucket; few test
// files need one directory for all (scripts/one-node.ts).

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { oneFolder, oneNode } from "../../scripts/one-node.ts";
import { keptConnections } from "./kept-connections.ts";
import { type Bucket, startBucket } from "./s3-server.ts";

const http = process.getBuiltinModule("node:http");

export const nodeCount = Number(process.env.CAIRN_TEST_NODES ?? 1);

export interface Proxy {
  readonly url: string;
  /** Addresses of the nodes. */
  lead(targets: string[]): void;
  close(): void;
}

export async function startProxy(): Promise<Proxy> {
  let targets: string[] = [];
  let turn = 0;
  const agent = keptConnections(64);
  const server = http.createServer((request, response) => {
    turn += 1;
    const { hostname, port } = new URL(targets[turn % targets.length] as string);
    const { method, url: path, headers } = request;
    const outgoing = http.request({ agent, hostname, port, method, path, headers }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, incoming.rawHeaders);
      incoming.pipe(response);
      incoming.on("error", () => response.destroy());
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    request.pipe(outgoing);
  });
  // Longer than tests are busy with something else: a request on a connection that is just closed would fail.
  server.keepAliveTimeout = 300_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead(next) {
      targets = next;
    },
    close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Node {
  url: string;
  stdout(): string;
  stderr(): string;
  end(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number | null>;
}

export interface Nodes {
  /** For the first node and its commands. */
  env: Record<string, string>;
  url: string;
  /** Data directories of the others. */
  folders: readonly string[];
  /** What the others have printed. */
  stdout(): string;
  stderr(): string;
  /** Starts the others beside the first, and leads the proxy to all of them. */
  start(
    first: Node,
    env: Record<string, string>,
    launch: (env: Record<string, string>) => Promise<Node>,
  ): Promise<void>;
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  close(): Promise<void>;
}

/** Undefined: one server, without a proxy. `env`: of the test. */
export async function openNodes(env: Record<string, string> = {}): Promise<Nodes | undefined> {
  const file = relative(resolve(import.meta.dirname, "../.."), process.argv[1] ?? "");
  if (nodeCount < 2 || oneNode.has(file) || process.env.CAIRN_TEST_ENGINE !== "postgres" || env.CAIRN_DATABASE_URL)
    return undefined;
  const proxy = await startProxy();
  const isOneFolder = oneFolder.has(file);
  const bucket: Bucket | undefined = env.CAIRN_FILES || isOneFolder ? undefined : await startBucket();
  const newFolder = () => mkdtempSync(join(tmpdir(), "cairn-node-"));
  const folders = isOneFolder ? [] : Array.from({ length: nodeCount - 1 }, newFolder);
  let others: Node[] = [];
  return {
    env: { CAIRN_URL: proxy.url, ...(bucket && { CAIRN_FILES: bucket.url }) },
    url: proxy.url,
    folders,
    stdout: () => others.map((node) => node.stdout()).join(""),
    stderr: () => others.map((node) => node.stderr()).join(""),
    async start(first, common, launch) {
      const CAIRN_SITE_KEY_FILE = join(common.CAIRN_DATA as string, ".system", "site.key");
      const places = isOneFolder ? Array.from({ length: nodeCount - 1 }, () => common.CAIRN_DATA as string) : folders;
      others = await Promise.all(
        places.map((folder) => launch({ CAIRN_SITE_KEY_FILE, ...common, CAIRN_DATA: folder })),
      );
      proxy.lead([first, ...others].map(({ url }) => url));
    },
    async end(signal) {
      await Promise.all(others.map((node) => node.end(signal)));
      others = [];
    },
    async close() {
      proxy.close();
      await bucket?.close();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
