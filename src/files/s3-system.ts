// Files of the service in a bucket: `{prefix}.system/{at}`. All nodes find them there, and no key of a file leads to them.
// s3.ts provides the functions of the bucket.

import { inParallel } from "#base/in-parallel.ts";
import { checkSystemFolder, checkSystemKey, systemFolder } from "./keys.ts";
import type { OpenFile, StagedFile, StoredFile, SystemStore } from "./port.ts";

interface BucketAccess {
  /** Before every name; empty, or ending in a slash. */
  root: string;
  find(name: string): Promise<StoredFile | undefined>;
  openFile(name: string): Promise<OpenFile>;
  /** False: the name is taken. */
  create(name: string, text: string): Promise<boolean>;
  /** Fails when it is not there, whole, afterwards. */
  publish(staged: Pick<StagedFile, "path" | "size">, name: string, signal?: AbortSignal): Promise<StoredFile>;
  deleteNames(names: string[]): Promise<void>;
  deleteBelow(folder: string): Promise<number>;
  /** In order of name. */
  listPages(below: string): AsyncIterable<({ name: string } & StoredFile)[]>;
}

const createdAtOnce = 16;

export function openS3System(bucket: BucketAccess): SystemStore {
  const { find, openFile, create, publish, deleteNames, deleteBelow, listPages } = bucket;
  const folder = `${bucket.root}${systemFolder}/`;
  const nameOf = (at: string) => folder + checkSystemKey(at).join("/");
  const belowOf = (prefix: string) => `${folder}${checkSystemFolder(prefix).join("/")}/`;

  async function* list(prefix: string) {
    for await (const page of listPages(belowOf(prefix)))
      for (const { name, ...file } of page) yield { key: name.slice(folder.length), ...file };
  }

  return {
    find: async (at) => find(nameOf(at)),
    open: async (at) => openFile(nameOf(at)),
    async create(texts) {
      const files = [...texts].map(([at, text]) => ({ at, text, name: nameOf(at) }));
      const taken = new Set<string>();
      await inParallel(files, createdAtOnce, async ({ at, text, name }) => {
        if (!(await create(name, text))) taken.add(at);
      });
      return taken;
    },
    put: async (staged, at, signal) => void (await publish(staged, nameOf(at), signal)),
    delete: async (at) => deleteNames([nameOf(at)]),
    deleteAll: async (prefix) => void (await deleteBelow(belowOf(prefix))),
    list,
    async *listKeys(prefix) {
      for await (const { key } of list(prefix)) yield key;
    },
  };
}
