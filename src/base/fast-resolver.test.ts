import assert from "node:assert/strict";
import { test } from "node:test";
import * as contract from "#contract/json.ts";
import * as errors from "./errors.ts";
import { installFastResolver } from "./fast-resolver.ts";

test("START-1 the project's own files are the same ones, however they are found; packages are found as ever", async () => {
  installFastResolver();
  assert.equal(await import("./errors.ts"), errors);
  assert.equal(await import("./errors.ts"), errors);
  assert.equal(await import("#contract/json.ts"), contract);
  assert.equal(typeof (await import("pino")).pino, "function");
});
