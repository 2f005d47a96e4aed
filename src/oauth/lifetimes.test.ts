import assert from "node:assert/strict";
import { test } from "node:test";
import type { Settings } from "#config/config.ts";
import { expiryOf } from "./lifetimes.ts";

test("OAU-58 a lifetime counts from the issue, and ends before times are written in another way", () => {
  const app = (duration: string) => ({ settings: { get: () => duration } as unknown as Settings });
  const now = Date.parse("2026-01-01T00:00:00Z");
  assert.equal(expiryOf(app("P30D"), "oauth.refreshTokenTtl", now), "2026-01-31T00:00:00.000Z");
  assert.match(expiryOf(app("P9000000D"), "oauth.refreshTokenTtl", now), /^21\d\d-/);
});
