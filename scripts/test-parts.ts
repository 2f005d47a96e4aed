// The parts of the suite: which test files there are, and on which engine each runs.

import { globSync } from "node:fs";
import { resolve } from "node:path";
import type { Engine } from "../tests/harness.ts";
import { oneEngine } from "./one-engine.ts";

export interface Part {
  name: string;
  files: string[];
  /** Unset: the tests choose for themselves. */
  engine?: Engine;
  /** Fewer tests than this in the whole part mean that something did not run. */
  atLeast: number;
}

export const root = resolve(import.meta.dirname, "..");
export const engines: Engine[] = ["sqlite", "postgres"];

const find = (pattern: string) => globSync(pattern, { cwd: root }).sort();
/** `x.sqlite.test.ts` and `x.postgres.test.ts` are for that engine alone. */
const isFor = (engine: Engine) => (file: string) =>
  engines.every((other) => other === engine || !file.endsWith(`.${other}.test.ts`));

const storageSuites = find("src/storage/storage.*.test.ts");

export const parts: Part[] = [
  {
    name: "unit",
    files: find("{src,scripts,admin/src,client/src}/**/*.test.ts").filter((file) => !storageSuites.includes(file)),
    atLeast: 300,
  },
  ...engines.map((engine) => ({
    name: "storage",
    engine,
    files: storageSuites.filter(isFor(engine)),
    atLeast: 50,
  })),
  ...["http", "oauth", "mcp", "automations", "sync", "cli", "extensions", "doors", "faults"].flatMap((name) =>
    engines.map((engine) => ({
      name,
      engine,
      files: find(`tests/${name}/**/*.test.ts`).filter(isFor(engine)),
      atLeast: name === "http" ? 200 : name === "extensions" || name === "doors" ? 1 : 5,
    })),
  ),
  // In a browser, where the engine cannot be seen; that pages open at all is tried on both.
  { name: "admin", engine: "sqlite", files: find("tests/admin/**/*.test.ts"), atLeast: 1 },
  { name: "admin", engine: "postgres", files: ["tests/admin/smoke.test.ts"], atLeast: 1 },
  { name: "scale", engine: "sqlite", files: find("tests/scale/**/*.test.ts"), atLeast: 10 },
];

/** They fetch packages from the registry, and run only where they are named. */
export const onRequest: Part[] = [
  { name: "registry", engine: "sqlite", files: find("tests/registry/**/*.test.ts"), atLeast: 2 },
];

export const usesServers = (part: Part) => part.name !== "unit" && part.name !== "storage";
export const usesBrowser = (part: Part) => part.name === "admin";
export const isFaults = (part: Part) => part.name === "faults";

/** A part without the files that run on the other engine alone (`one-engine.ts`). */
export function withoutOthers(part: Part): Part {
  if (part.engine === undefined) return part;
  const isHere = (file: string) => (oneEngine.get(file) ?? part.engine) === part.engine;
  const atLeast = part.engine === "postgres" ? Math.min(part.atLeast, 100) : part.atLeast;
  return { ...part, files: part.files.filter(isHere), atLeast };
}

/** The parts with the files that are wanted; a part without any goes. The number of tests is held for whole parts alone. */
export function pick(from: readonly Part[], isWanted: (part: Part, file: string) => boolean): Part[] {
  return from.flatMap((part) => {
    const files = part.files.filter((file) => isWanted(part, file));
    if (files.length === part.files.length) return [part];
    return files.length === 0 ? [] : [{ ...part, files, atLeast: 0 }];
  });
}

export function titleOf(part: Part): string {
  return part.engine ? `${part.name} on ${part.engine}` : part.name;
}

/** The command that runs one file of a part once more. */
export function commandFor(part: Part, file: string): string {
  const option = part.engine ? ` --engine=${part.engine}` : "";
  return `bin/with-node node scripts/test.ts ${file}${option}`;
}
