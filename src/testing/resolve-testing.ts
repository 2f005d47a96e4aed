// Loaded before the tests of an extension: `cairn/testing` is this installation's.

import { registerHooks } from "node:module";

const testing = new URL("./start-cairn.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "cairn/testing" ? { url: testing, shortCircuit: true } : next(specifier, context),
});
