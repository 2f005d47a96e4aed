// Sudden death while properties with files are renamed, and while their files move: every file is reached by the name that the
// schema has at that moment, and the move goes on after the start.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { engine, repeats } from "../harness.ts";
import { type AtticSite, startAtticSite } from "../support/attic-site.ts";

// The store of files knows nothing of the engine: the bucket is tried once.
const stores = engine === "sqlite" ? (["disk", "bucket"] as const) : (["disk"] as const);
const cycles = repeats(3, 12);
/** More than the job looks at together. */
const objects = 60;

for (const kind of stores) {
  describe(`files on ${kind}`, () => {
    let site: AtticSite;
    before(async () => {
      site = await startAtticSite(kind);
      for (let n = 0; n < objects; n += 1) {
        await site.call("POST", "/collections/full", { id: `n-${n}`, deck: [{ id: "d" }] });
        await site.upload(`collections/full/n-${n}/doc`, "a.txt", `doc ${n}`);
        if (n % 10 > 0) continue;
        await site.upload(`collections/full/n-${n}/box/sub`, "b.txt", `box ${n}`);
        await site.upload(`collections/full/n-${n}/deck/d/image`, "c.txt", `deck ${n}`);
      }
    });
    after(() => site.stop());

    const has = async (name: string) => (await site.call("GET", "/schemas/thing")).body.properties[name] !== undefined;
    const check = async (path: string, expected: string | number, when: string) =>
      assert.equal(String(await site.fetched(`/download/full/${path}`)), String(expected), `${path} ${when}`);

    test("ADM-1318 a kill while properties with files are renamed loses no file, and the move goes on", async () => {
      let now = { doc: "doc", box: "box", deck: "deck" };
      for (let cycle = 1; cycle <= cycles; cycle += 1) {
        const next = { doc: `doc${cycle}`, box: `box${cycle}`, deck: `deck${cycle}` };
        const renames = Object.keys(now).map((name) => ({
          from: now[name as keyof typeof now],
          to: next[name as keyof typeof now],
        }));
        const all = (async () => {
          for (const body of renames) await site.call("POST", "/schemas/thing/rename", body);
        })().catch(() => undefined);
        await sleep(Math.random() * 500);
        await site.server.kill();
        await all;
        await site.server.restart();
        const [doc, box, deck] = await Promise.all(
          renames.map(async ({ from, to }) => ((await has(to)) ? { is: to, was: from } : { is: from, was: to })),
        );
        for (let n = 0; n < objects; n += 1) {
          await check(`n-${n}/${doc?.is}`, `doc ${n}`, `after kill ${cycle}`);
          if (n % 10 > 0) continue;
          await check(`n-${n}/${box?.is}/b.txt?path=sub`, `box ${n}`, `after kill ${cycle}`);
          await check(`n-${n}/${deck?.is}/d/image`, `deck ${n}`, `after kill ${cycle}`);
          await check(`n-${n}/${doc?.was}`, 404, `after kill ${cycle}`);
        }
        // Renames that were cut off can be repeated.
        for (const body of renames) {
          const again = await site.call("POST", "/schemas/thing/rename", body);
          assert.equal(again.status, 200, again.text);
        }
        now = next;
      }
      await site.server.kill();
      await site.server.restart();
      const files = (n: number) => [
        ...(n % 10 > 0 ? [] : [`${now.box}/sub/b.txt`, `${now.deck}/d/image/c.txt`]),
        `${now.doc}/a.txt`,
      ];
      const isMoved = (n: number) => files(n).every((file) => site.stored(`full/n-${n}`).includes(file));
      const numbers = Array.from({ length: objects }, (_, n) => n);
      await until(async () => numbers.every(isMoved));
      for (const n of numbers) await check(`n-${n}/${now.doc}`, `doc ${n}`, "at the end");
      const problems = JSON.parse((await site.server.cli(["files:check", "--json"])).stdout);
      assert.deepEqual(problems, []);
    });
  });
}
