// Parts of uploads in a bucket: `{prefix}.uploads/{upload}/{name}`. Every machine finds them there, and no key of a file
// leads to them. s3.ts provides the functions of the bucket.

import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { checkPartName } from "./keys.ts";
import type { KeptPart, PartStore, StagedFile } from "./port.ts";

interface BucketAccess {
  /** Begins the names of all parts; ends in a slash. */
  folder: string;
  upload(staged: StagedFile, name: string): Promise<void>;
  read(name: string): Promise<Readable>;
  deleteNames(names: string[]): Promise<void>;
  /** In order of name. */
  listPages(below: string): AsyncIterable<{ name: string; size: number; modified: number }[]>;
}

export function openS3Parts({ folder, upload, read, deleteNames, listPages }: BucketAccess): PartStore {
  const folderOf = (id: string) => `${folder}${checkPartName(id)}/`;
  const nameOf = (id: string, { name }: KeptPart) => folderOf(id) + checkPartName(name);

  async function* readAll(id: string, parts: readonly KeptPart[]): AsyncIterable<Uint8Array> {
    for (const part of parts) yield* await read(nameOf(id, part));
  }

  return {
    async receive({ upload: id, index, source, maxBytes }, staging) {
      const staged = await staging.receive(source, maxBytes);
      const part = { name: `${index}-${randomBytes(8).toString("hex")}`, size: staged.size };
      try {
        await upload(staged, nameOf(id, part));
        return part;
      } finally {
        await staging.discard(staged);
      }
    },

    async listLost(id, parts) {
      const sizes = new Map<string, number>();
      for await (const page of listPages(folderOf(id))) for (const { name, size } of page) sizes.set(name, size);
      return parts.filter((part) => sizes.get(nameOf(id, part)) !== part.size);
    },

    gather: (id, parts, staging) => staging.receive(readAll(id, parts), Number.POSITIVE_INFINITY),
    discard: async (id, part) => deleteNames([nameOf(id, part)]),

    async delete(id, parts) {
      if (parts) return deleteNames(parts.map((part) => nameOf(id, part)));
      for await (const page of listPages(folderOf(id))) await deleteNames(page.map(({ name }) => name));
    },

    async *listStale(before) {
      let last: { upload: string; size: number; modified: number } | undefined;
      for await (const page of listPages(folder)) {
        for (const { name, size, modified } of page) {
          const [id = ""] = name.slice(folder.length).split("/");
          if (last?.upload === id) {
            last.size += size;
            last.modified = Math.max(last.modified, modified);
            continue;
          }
          if (last && last.modified < before) yield { upload: last.upload, size: last.size };
          last = { upload: id, size, modified };
        }
      }
      if (last && last.modified < before) yield { upload: last.upload, size: last.size };
    },
  };
}
