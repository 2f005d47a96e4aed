// Cases whose outcome is decided before any SQL, in files whose other cases run on both databases: these run on the embedded one
// alone, and on both in a full run. Whole files of that kind are listed in scripts/one-engine.ts.

import { test } from "node:test";
import { engine } from "../harness.ts";

/** Whether this is a full run, or one of named files. */
export const isFull = process.env.CAIRN_TEST_FULL === "1";

export const isOnce = engine === "sqlite" || isFull;

export const testOnce = ((...args: Parameters<typeof test>) => (isOnce ? test(...args) : undefined)) as typeof test;
