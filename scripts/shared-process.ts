// The process of several short test files (scripts/test.ts): each is a suite of its own, so that its hooks hold for it alone.
// CAIRN_TEST_FILES names them, from the root of the repository.

import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { suite } from "node:test";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "..");

// As the build of the admin finds them (admin/vite.config.ts).
registerHooks({
  resolve: (name, context, next) =>
    next(/^@(contract|rules)\//.test(name) ? pathToFileURL(resolve(root, "src", name.slice(1))).href : name, context),
});

for (const file of JSON.parse(process.env.CAIRN_TEST_FILES ?? "[]") as string[])
  suite(file, async () => {
    await import(pathToFileURL(resolve(root, file)).href);
  });
