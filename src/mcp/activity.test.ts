import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { openTestContext } from "#context.fixture.ts";
import { oauthLog } from "#oauth/audit.ts";
import { recordActivity, shownArguments } from "./activity.ts";

test("MCT-92 the log shows names of sent keys, not content and not secrets", () => {
  assert.deepEqual(
    shownArguments({
      collection: "notes",
      data: { title: "content", password: "x" },
      properties: ["a", "b"],
      api_key: "cairn_x",
      newPassword: "x",
      limit: 5,
      url: "https://user:pass@example.test/a?sig=secret#frag",
      query: "w".repeat(500),
    }),
    {
      collection: "notes",
      data: { keys: "title password" },
      properties: "[2 entries]",
      api_key: "[redacted]",
      newPassword: "[redacted]",
      limit: 5,
      url: "https://example.test/a",
      query: `${"w".repeat(120)}...`,
    },
  );
});

test("MCT-93 writes are always recorded, reads and failures up to a limit a minute", async () => {
  const { ctx, close } = await openTestContext();
  let now = Date.parse("2026-05-01T12:00:00Z");
  const clock = { now: () => now, iso: () => new Date(now).toISOString() };
  const record = (name: string, more: object) =>
    recordActivity({ ...ctx, clock }, { method: "tools/call", name, args: {}, durationMs: 1, ...more });
  for (let at = 0; at < 100; at += 1) {
    record("a_read", {});
    record("a_write", { isWrite: true });
  }
  for (let at = 0; at < 50; at += 1) record("a_failure", { isWrite: true, error: "invalid" });
  now += 61_000;
  record("another_read", {});
  const text = await until(
    () => (existsSync(oauthLog(ctx)) ? readFileSync(oauthLog(ctx), "utf8") : ""),
    (written) => written.includes("another_read"),
  );
  const lines = text.trimEnd().split("\n");
  const count = (word: string) => lines.filter((line) => line.includes(`tools/call ${word} `)).length;
  assert.deepEqual([count("a_read"), count("a_write"), count("a_failure"), count("another_read")], [60, 100, 0, 1]);
  assert.match(lines.find((line) => line.includes("more calls")) ?? "", /"calls":90\}$/);
  await close();
});
