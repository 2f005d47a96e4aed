// Uploads in chunks that have begun, kept on the device: when the same file is chosen again for the same place, it goes on where it
// stopped. The server keeps chunks for a day. Pure but for the storage that it is given.

import type { UploadTarget } from "./upload-target.ts";

/** Files of this size or more are sent in pieces of it. */
export const chunkSize = 5 * 1_048_576;

const key = "cairn.uploads";
const maxAge = 23 * 3_600_000;
const most = 50;

export type KeepingPlace = Pick<Storage, "getItem" | "setItem">;

interface Kept {
  user: string;
  upload: string;
  /** Collection, object, path and folder. */
  place: string;
  name: string;
  size: number;
  lastModified: number;
  total: number;
  /** Indexes of the chunks that the server has. */
  done: number[];
  at: number;
}

/** One that is being sent. */
export interface UnfinishedUpload {
  upload: string;
  total: number;
  done: Set<number>;
}

interface Parts {
  storage: KeepingPlace | undefined;
  now: () => number;
  newId: () => string;
  user: () => string;
}

type SentFile = Pick<File, "name" | "size" | "lastModified">;

export function createUnfinished({ storage, now, newId, user }: Parts) {
  const open = new Map<string, Kept>();

  function read(): Kept[] {
    try {
      const found: unknown = JSON.parse(storage?.getItem(key) ?? "[]");
      return Array.isArray(found) ? found.filter((kept: Kept) => kept.user === user() && now() - kept.at < maxAge) : [];
    } catch {
      return [];
    }
  }

  /** A full storage keeps nothing more: the file is then sent from its beginning. */
  function write(kept: Kept[]): void {
    try {
      storage?.setItem(key, JSON.stringify(kept.slice(-most)));
    } catch {}
  }

  function findFor(target: UploadTarget, file: SentFile): Kept | undefined {
    const place = placeOf(target);
    return read().find(
      (kept) =>
        kept.place === place &&
        kept.name === file.name &&
        kept.size === file.size &&
        kept.lastModified === file.lastModified,
    );
  }

  function forget(upload: string): void {
    open.delete(upload);
    write(read().filter((kept) => kept.upload !== upload));
  }

  return {
    open(target: UploadTarget, { name, size, lastModified }: SentFile): UnfinishedUpload {
      const found = findFor(target, { name, size, lastModified });
      const total = Math.ceil(size / chunkSize);
      const kept = found ?? {
        user: user(),
        upload: newId(),
        place: placeOf(target),
        name,
        size,
        lastModified,
        total,
        done: [],
        at: now(),
      };
      open.set(kept.upload, kept);
      return { upload: kept.upload, total, done: new Set(kept.done.filter((index) => index < total)) };
    },
    keep({ upload, done }: UnfinishedUpload): void {
      const kept = open.get(upload);
      if (!kept) return;
      const others = read().filter((other) => other.upload !== upload);
      write([...others, { ...kept, done: [...done], at: now() }]);
    },
    forget,
    /** The person has cancelled it. */
    drop(target: UploadTarget, file: SentFile): void {
      const kept = findFor(target, file);
      if (kept) forget(kept.upload);
    },
    listFor(target: UploadTarget): { name: string; share: number }[] {
      const place = placeOf(target);
      return read()
        .filter((kept) => kept.place === place)
        .map(({ name, done, total }) => ({ name, share: done.length / total }));
    },
  };
}

function placeOf({ collection, object, path, folder = "", isForEditor = false }: UploadTarget): string {
  return JSON.stringify([collection, object, path, folder, isForEditor]);
}
