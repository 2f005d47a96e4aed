// A private nginx before one Cairn, for tests and benchmarks, which sends the files of objects: the server block that
// `cairn server:config nginx` prints, with the location of docs/guides/serving-files.md. It also serves the same files by itself
// under /plain/.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choose, serverConfigText } from "#installation/server-config/server-config.ts";
import { exampleSite } from "#installation/server-config/site-facts.ts";
import { freePort } from "./free-port.ts";
import { type Front, startFront } from "./fronts.ts";

export interface FrontOptions {
  /** Where the Cairn behind it listens. */
  url: string;
  dataDir: string;
}

export async function startNginx({ url, dataDir }: FrontOptions): Promise<Front> {
  const port = await freePort();
  const publicDir = mkdtempSync(join(tmpdir(), "cairn-public-"));
  const choice = { domain: `127.0.0.1:${port}`, upstream: new URL(url).host, public: publicDir };
  const facts = choose("nginx", { ...exampleSite, dataDir, handoverPrefix: "/protected-files/" }, choice);
  const plain = `  location /plain/ { alias ${dataDir}/; }\n`;
  const text = serverConfigText("nginx", facts).replace(/\}\s*$/, `${plain}}\n`);
  const front = await startFront("nginx", { text, port, publicDir });
  return {
    ...front,
    async stop() {
      await front.stop();
      rmSync(publicDir, { recursive: true, force: true });
    },
  };
}
