// The process of several short test files (scripts/test.ts): each is a suite of its own, so that its hooks hold for it alone.
// CAIRN_TEST_FILES names them, from the root of the repository.

import { resolve } from "node:path";
import { suite } from "node:test";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "..");

for (const file of JSON.parse(process.env.CAIRN_TEST_FILES ?? "[]") as string[])
  suite(file, async () => {
    await import(pathToFileURL(resolve(root, file)).href);
  });
