// {data_dir}/.system/mirror.json: the hash of each definition file as it was last in step with the database.
// It says which side has changed. A node without it is new here. It also names the database.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "#base/files.ts";
import { isJsonObject, type Json } from "#contract/json.ts";

export interface Marks {
  /** Which one it was that they were in step with; undefined: the node is new, or an older version did not say. */
  readonly database: string | undefined;
  belongTo(database: string | undefined): void;
  keys(): string[];
  get(key: string): string | undefined;
  /** Undefined: neither side has it. */
  set(key: string, hash: string | undefined): void;
  /** Files that were here before the node joined and that the database has nothing of. They wait for an import. */
  readonly left: ReadonlySet<string>;
  leave(key: string): void;
  unleave(key: string): void;
  forget(): void;
  save(): Promise<void>;
}

export function openMarks(file: string): Marks {
  const found = parse(readOrNothing(file));
  const marks = new Map(Object.entries(found?.marks ?? {}));
  const left = new Set(found?.left ?? []);
  /** Not saved yet. */
  const changed = new Map<string, string | undefined>();
  let isDirty = found === undefined;
  let database = found?.database;

  return {
    get database() {
      return database;
    },
    belongTo(present) {
      isDirty ||= database !== present;
      database = present;
    },
    keys: () => [...marks.keys()],
    get: (key) => marks.get(key),
    set(key, hash) {
      if (marks.get(key) === hash) return;
      if (hash === undefined) marks.delete(key);
      else marks.set(key, hash);
      changed.set(key, hash);
      isDirty = true;
    },
    left,
    leave(key) {
      isDirty ||= !left.has(key);
      left.add(key);
    },
    unleave(key) {
      isDirty = left.delete(key) || isDirty;
    },
    forget() {
      for (const key of marks.keys()) changed.set(key, undefined);
      marks.clear();
      left.clear();
      isDirty = true;
    },
    async save() {
      if (!isDirty) return;
      // Other processes on this folder mark files too: only what changed here is replaced.
      const others = parse(await readFile(file, "utf8").catch(() => undefined));
      const merged = new Map(Object.entries(others?.marks ?? {}));
      for (const [key, hash] of changed) {
        if (hash === undefined) merged.delete(key);
        else merged.set(key, hash);
      }
      isDirty = false;
      changed.clear();
      const sorted = Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1)));
      const content = { database, marks: sorted, left: [...left] };
      await writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`, 0o600);
    },
  };
}

interface Content {
  database: string | undefined;
  marks: Record<string, string>;
  left: string[];
}

function parse(text: string | undefined): Content | undefined {
  if (text === undefined) return undefined;
  try {
    const content = JSON.parse(text) as Json;
    if (!isJsonObject(content) || !isJsonObject(content.marks)) return undefined;
    const left = Array.isArray(content.left) ? content.left : [];
    const database = typeof content.database === "string" ? content.database : undefined;
    return { database, marks: content.marks as Record<string, string>, left: left as string[] };
  } catch {
    return undefined;
  }
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
