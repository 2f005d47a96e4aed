// A site of several nodes for `npm run test:ha`: each node on a fixed port, with an empty temporary data directory, behind the balancer of
// examples/deploy/three-nodes.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/free-port.ts";
import { type Balancer, startBalancer } from "../../scripts/ha/balancer.ts";
import { cleanEnvironment, type Launched, launch, runCairn } from "../harness.ts";

// Only an exit is seen by what has to be stopped and removed.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** What a pool cannot set is set on the role, before the pool connects. */
export async function prepareDatabase(direct: string): Promise<void> {
  const CAIRN_DATA = mkdtempSync(join(tmpdir(), "cairn-ha-prepare-"));
  const env = cleanEnvironment({ CAIRN_DATA, CAIRN_DATABASE_URL: direct });
  const { code, stderr } = await runCairn(["database:prepare"], { env });
  rmSync(CAIRN_DATA, { recursive: true, force: true });
  if (code !== 0) throw new Error(stderr);
}

export interface Node {
  readonly url: string;
  /** False from the moment it is about to stop until it is ready again. */
  isInUse: boolean;
  /** In a new process; `installation`: another folder of Cairn. */
  start(installation?: string): Promise<void>;
  /** SIGTERM. Resolves to what it printed on stderr. */
  stop(): Promise<string>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Loses its data directory and gets an empty one. */
  empty(): void;
  printed(): string;
}

export interface Site {
  readonly nodes: readonly Node[];
  readonly balancer: Balancer;
  readonly key: string;
  stop(): Promise<void>;
}

export interface SiteOptions {
  nodes: number;
  /** What all nodes have in common, such as the database. */
  env: Record<string, string>;
  installation?: string;
  /** All nodes have this data directory; else each has an empty one of its own. */
  dataDir?: string;
}

export async function startSite({ nodes: count, env, installation, dataDir }: SiteOptions): Promise<Site> {
  const folders = new Set<string>();
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-ha-node-"));
    folders.add(folder);
    return folder;
  };
  const environment = (CAIRN_DATA: string) =>
    cleanEnvironment({
      ...{ CAIRN_DATA, CAIRN_LOG_LEVEL: "error", CAIRN_SITE_KEY: "ab".repeat(32) },
      // Longer than the balancer takes to notice.
      CAIRN_DRAIN_DELAY: "PT5S",
      ...env,
    });
  const made = await runCairn(["key:create", "--name", "ha", "--json"], {
    env: environment(dataDir ?? newFolder()),
    ...(installation && { installation }),
  });
  if (made.code !== 0) throw new Error(made.stderr);
  const { key } = JSON.parse(made.stdout) as { key: string };

  async function makeNode(): Promise<Node> {
    const port = await freePort();
    let folder = dataDir ?? newFolder();
    let running: Launched | undefined;
    let earlier = "";
    const end = async (signal: "SIGTERM" | "SIGKILL") => {
      node.isInUse = false;
      await running?.end(signal);
      earlier += running?.stderr() ?? "";
      running = undefined;
    };
    const node: Node = {
      url: `http://127.0.0.1:${port}`,
      isInUse: false,
      async start(other = installation) {
        const options = { isFresh: true, ...(other && { installation: other }) };
        running = await launch(["serve", "--port", String(port)], environment(folder), options);
        node.isInUse = true;
      },
      async stop() {
        await end("SIGTERM");
        return earlier;
      },
      kill: () => end("SIGKILL"),
      empty() {
        rmSync(folder, { recursive: true, force: true });
        folder = newFolder();
      },
      printed: () => earlier + (running?.stderr() ?? ""),
    };
    return node;
  }

  const nodes: Node[] = [];
  for (let n = 0; n < count; n++) nodes.push(await makeNode());
  // One after the other: the first creates the tables.
  for (const node of nodes) await node.start();
  const balancer = await startBalancer(nodes.map(({ url }) => Number(new URL(url).port)));
  return {
    nodes,
    balancer,
    key,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
      await balancer.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
