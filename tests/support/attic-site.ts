// A site whose objects have files and a full history, on disk or in a bucket, for black-box tests. It never asserts.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Answer, type CliResult, root, runCairn, type Server, startServer } from "../harness.ts";
import { filesBelow } from "./files-below.ts";
import { multipart, send } from "./forms.ts";
import { type Bucket, startBucket } from "./s3-server.ts";
import { fetchBytes } from "./sample-files.ts";

type Body = Record<string, unknown>;

export interface AtticSite {
  server: Server;
  call(method: string, path: string, body?: Body): Promise<Answer>;
  upload(path: string, name: string, bytes: string | Uint8Array): Promise<Answer>;
  /** The bytes at an address, or the status when there are none. */
  fetched(path: string): Promise<Buffer | number>;
  /** The files below a folder of the store, without what the store adds to their names. */
  stored(folder: string): string[];
  /** The whole path of a folder of the store. */
  folderOf(name: string): string;
  /** The newest change of an object. */
  lastChange(collection: string, id: string): Promise<string>;
  trashOf(collection: string): Promise<Body[]>;
  /** A command that runs two hours later. */
  later(args: string[]): Promise<CliResult>;
  stop(): Promise<void>;
}

/** `way`: another address of the bucket, from its own. */
export async function startAtticSite(
  kind: "disk" | "bucket",
  way = async (url: string): Promise<string> => url,
): Promise<AtticSite> {
  const bucket: Bucket | undefined = kind === "bucket" ? await startBucket() : undefined;
  const env: Record<string, string> = bucket ? { CAIRN_FILES: await way(bucket.url) } : {};
  const server = await startServer({ env, settings: { api: { rateLimit: 0 } } });
  const text = { type: "string", field: "text" };
  await server.makeSchema({ id: "part", properties: { image: { type: "file" } }, required: [], index: [] });
  await server.makeSchema({
    id: "thing",
    properties: {
      title: text,
      body: { type: "string", field: "styledtext" },
      cover: { type: "image" },
      doc: { type: "file" },
      photos: { type: "gallery" },
      box: { type: "depot" },
      deck: { type: "deck", schemaref: "part" },
    },
    required: [],
    index: ["title"],
  });
  for (const history of ["full", "trail", "off"])
    await server.makeCollection({ id: history, schema: "thing", history, publicOperations: ["read"] });
  const folderOf = (name: string) => join(bucket ? join(bucket.folder, "site") : server.dataDir, name);
  const call = (method: string, path: string, body?: Body) => server.request(method, `/api${path}`, body && { body });
  return {
    ...{ server, folderOf, call },
    async upload(path, name, bytes) {
      const answer = await send(server, `/api/${path}`, multipart([{ field: "file", name, bytes }]));
      if (answer.status !== 200) throw new Error(`${path} was not uploaded: ${answer.text}`);
      return answer;
    },
    async fetched(path) {
      const { status, bytes } = await fetchBytes(server, path);
      return status === 200 ? bytes : status;
    },
    stored(folder) {
      const paths = filesBelow(folderOf(folder));
      if (!bucket) return paths;
      const own = paths.filter((path) => path.endsWith("._S3rver_object"));
      return own.map((path) => path.slice(0, -"._S3rver_object".length)).sort();
    },
    lastChange: async (collection, id) =>
      (await call("GET", `/history/${collection}/${id}?limit=1`)).body.data[0].change,
    trashOf: async (collection) => (await call("GET", `/trash?collection=${collection}`)).body.data,
    later(args) {
      const clock = pathToFileURL(join(root, "tests", "support", "shift-clock.ts")).href;
      const shift = { NODE_OPTIONS: `--import=${clock}`, CLOCK_SHIFT_MS: String(2 * 3_600_000) };
      return runCairn(args, { env: { ...server.env, ...shift } });
    },
    async stop() {
      await server.stop();
      await bucket?.close();
    },
  };
}
