// By which part of its hash a file is kept and found again.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { type AtticSite, startAtticSite } from "../../support/attic-site.ts";
import { runSql } from "../../support/sql.ts";

let site: AtticSite;
before(async () => {
  site = await startAtticSite("disk");
});
after(() => site.stop());

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Two texts of one length whose hashes begin alike. */
function findTwins(): [string, string] {
  const known = new Map<string, string>();
  for (let at = 0; ; at += 1) {
    const text = `text ${String(at).padStart(9, "0")}`;
    const start = sha256(text).slice(0, 8);
    const twin = known.get(start);
    if (twin !== undefined) return [twin, text];
    known.set(start, text);
  }
}

async function makeThing(id: string): Promise<void> {
  const { status, text } = await site.call("POST", "/collections/full", { id });
  assert.equal(status, 201, text);
}

const restore = async (id: string, change: string) => {
  const answer = await site.call("POST", `/history/full/${id}/${change}/restore`, { properties: ["doc"] });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get("x-cairn-lost"), null);
  return String(await site.fetched(`/download/full/${id}/doc`));
};

test("ATT-13 files of one name and size whose hashes begin alike are kept apart", async () => {
  const [one, other] = findTwins();
  await makeThing("twins");
  const changes: string[] = [];
  for (const text of [one, other]) {
    await site.upload("collections/full/twins/doc", "plan.txt", text);
    changes.push(await site.lastChange("full", "twins"));
    await site.call("PATCH", "/collections/full/twins", { doc: null });
  }
  const kept = [one, other].map((text) => `${sha256(text).slice(0, 32)}-${text.length}`).sort();
  assert.deepEqual(
    site.stored(".attic").map((path) => path.split("/").at(-1)),
    kept,
  );
  for (const [at, text] of [one, other].entries()) assert.equal(await restore("twins", changes[at] as string), text);
});

test("ATT-13 a file whose value has the short hash of before is kept and found by it, or by the long one", async () => {
  await makeThing("old");
  await site.upload("collections/full/old/doc", "plan.txt", "the old plan");
  const change = await site.lastChange("full", "old");
  const hash = sha256("the old plan").slice(0, 32);
  await site.server.terminate();
  await runSql(site.server, `UPDATE objects SET doc = replace(doc, '${hash}', '${hash.slice(0, 8)}') WHERE id = 'old'`);
  await site.server.restart();
  await site.call("PATCH", "/collections/full/old", { doc: null });
  const names = site.stored(".attic").map((path) => path.split("/").at(-1));
  assert.ok(names.includes(`${hash.slice(0, 8)}-12`), names.join());
  assert.equal(await restore("old", change), "the old plan");
});
