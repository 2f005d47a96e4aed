// Extensions for tests: written to the project of a server, approved and enabled over HTTP.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Answer, Server } from "../harness.ts";

export interface Written {
  /** `{vendor}/{name}` */
  id: string;
  /** What `extension.json` says beside id, name, version, api and runtime. */
  manifest?: Record<string, unknown>;
  /** By path in the folder. */
  files: Record<string, string>;
}

/** `folder`: `{project}/extensions`, or the same of a data directory. */
export function writeExtension(folder: string, { id, manifest = {}, files }: Written): void {
  const whole = { id, name: id, version: "1.0.0", api: 1, runtime: "node", entrypoint: "index.ts", ...manifest };
  for (const [path, text] of Object.entries({ ...files, "extension.json": JSON.stringify(whole) })) {
    const file = join(folder, id, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Approves whatever it asks for. */
export async function enableExtension(server: Server, id: string, body: Record<string, unknown> = {}): Promise<Answer> {
  const { body: found } = await server.request("GET", `/api/extensions/${id}`);
  const approve = found.data.fingerprint;
  const answer = await server.request("POST", `/api/extensions/${id}/enable`, { body: { approve, ...body } });
  if (answer.status !== 200) throw new Error(`${id} cannot be enabled: ${answer.status} ${answer.text}`);
  return answer;
}
