// A server that speaks like S3, with one bucket, for black-box tests. It never asserts.

import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const S3rver = createRequire(import.meta.url)("s3rver") as new (
  options: object,
) => { run(): Promise<AddressInfo>; close(): Promise<void> };

export interface Bucket {
  /** For `CAIRN_FILES`. */
  url: string;
  /** Where its files lie, below `site`, each with `._S3rver_object` behind its name. */
  folder: string;
  close(): Promise<void>;
}

export async function startBucket(): Promise<Bucket> {
  const directory = mkdtempSync(join(tmpdir(), "cairn-bucket-"));
  const buckets = { directory, configureBuckets: [{ name: "cairn" }] };
  const server = new S3rver({ address: "127.0.0.1", port: 0, silent: true, ...buckets });
  const { port } = await server.run();
  return {
    url: `s3://S3RVER:S3RVER@cairn/site?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
    folder: join(directory, "cairn"),
    async close() {
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
}
