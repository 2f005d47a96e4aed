// Chooses the file store: local disk, or S3 when the setting filesUrl names a bucket.

import type { Logger } from "pino";
import { checkOneFileSystem, openDisk } from "./disk.ts";
import type { FileStore } from "./port.ts";
import type { Bucket } from "./s3.ts";

export interface FilesOptions {
  dataDir: string;
  /** `s3://[key:secret@]bucket[/prefix][?endpoint=...&region=...]`; empty for local disk. */
  filesUrl: string;
  log: Logger;
}

export async function openFiles({ dataDir, filesUrl, log }: FilesOptions): Promise<FileStore> {
  if (filesUrl === "") {
    await checkOneFileSystem(dataDir);
    return openDisk(dataDir);
  }
  // Node's HTTP client takes a quarter of the start of a command, and most sites need none.
  const { openS3 } = await import("./s3.ts");
  return openS3(parseBucket(filesUrl, process.env), log);
}

/** Without credentials in the URL, those of the usual environment variables are taken. Its text is never repeated. */
export function parseBucket(filesUrl: string, env: Record<string, string | undefined>): Bucket {
  const url = URL.parse(filesUrl);
  if (url?.protocol !== "s3:" || url.hostname === "")
    throw new Error("The setting filesUrl must be an s3:// address, or empty.");
  const region = url.searchParams.get("region") ?? env.AWS_REGION ?? "us-east-1";
  const endpoint = URL.parse(url.searchParams.get("endpoint") ?? `https://s3.${region}.amazonaws.com`);
  if (endpoint?.protocol !== "https:" && endpoint?.protocol !== "http:")
    throw new Error("The endpoint in the setting filesUrl must be an http or https address.");
  const accessKeyId = decodeURIComponent(url.username) || env.AWS_ACCESS_KEY_ID;
  const secretAccessKey = decodeURIComponent(url.password) || env.AWS_SECRET_ACCESS_KEY;
  if (!accessKeyId || !secretAccessKey)
    throw new Error("S3 needs credentials: in the setting filesUrl, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "");
  return {
    endpoint: `${endpoint.href.replace(/\/+$/, "")}/${url.hostname}`,
    region,
    accessKeyId,
    secretAccessKey,
    prefix: prefix === "" ? "" : `${prefix}/`,
  };
}
