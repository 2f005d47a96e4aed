// Properties with files that are renamed: on disk and in a bucket every file, its address, its lock, its counts and its older
// versions follow the new name.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { becomes, until } from "#base/patience.fixture.ts";
import { type AtticSite, startAtticSite } from "../../support/attic-site.ts";
import { picture } from "../../support/sample-files.ts";

type Body = Record<string, unknown>;

for (const kind of ["disk", "bucket"] as const) {
  describe(`files on ${kind}`, () => {
    let site: AtticSite;
    let image: Buffer;
    before(async () => {
      site = await startAtticSite(kind);
      image = await picture(40, 30);
    });
    after(() => site.stop());

    const object = async (id: string) => (await site.call("GET", `/collections/full/${id}`)).body.data;
    const put = (id: string, property: string, name: string, bytes: string | Uint8Array) =>
      site.upload(`collections/full/${id}/${property}`, name, bytes);
    const download = async (path: string) => String(await site.fetched(`/download/full/${path}`));
    const rename = async (from: string, to: string, schema = "thing") => {
      const answer = await site.call("POST", `/schemas/${schema}/rename`, { from, to });
      assert.equal(answer.status, 200, answer.text);
    };
    /** No value names another place, and no job has anything to remove. */
    const moved = () =>
      until(async () => {
        const isElsewhere = /"storedAs":"[^"]*\//.test((await site.call("GET", "/collections/full?limit=100")).text);
        const { data } = (await site.call("GET", "/jobs?kind=files.move")).body;
        return !isElsewhere && data.every(({ status }: Body) => status === "succeeded");
      });
    const isPicture = async (path: string) => {
      const found = await site.fetched(path);
      assert.equal(found instanceof Buffer, true, `${path} ${found}`);
    };
    const check = async () => JSON.parse((await site.server.cli(["files:check", "--json"])).stdout);

    test("ADM-1317 ADM-1318 the files of renamed properties are served by the new name at once, and moved", async () => {
      await site.call("POST", "/collections/full", { id: "one", deck: [{ id: "d1" }] });
      await put("one", "cover", "c.jpg", image);
      await put("one", "doc", "a.txt", "older");
      await put("one", "doc", "a.txt", "text");
      for (const name of ["p1.jpg", "p2.jpg"]) await put("one", "photos", name, image);
      await put("one", "box", "top.txt", "top");
      await put("one", "box/sub/deep", "low.txt", "low");
      await put("one", "deck/d1/image", "card.txt", "card");
      await site.call("PATCH", "/collections/full/one", { cover: { alt: "A hill" } });
      await isPicture("/imageworks/full/one/cover.jpg?w=10");
      for (const _ of [1, 2]) await download("one/doc");
      await download("one/box/low.txt?path=sub/deep");
      const before = await object("one");

      await rename("image", "paper", "part");
      for (const [from, to] of [
        ["cover", "front"],
        ["doc", "letter"],
        ["photos", "shots"],
        ["box", "chest"],
        ["deck", "cards"],
      ] as const)
        await rename(from, to);
      const served = async () => {
        assert.deepEqual(await site.fetched("/download/full/one/front"), image);
        assert.deepEqual(await site.fetched("/stream/full/one/shots/p2.jpg"), image);
        assert.equal(await download("one/letter"), "text");
        assert.equal(await download("one/chest/top.txt"), "top");
        assert.equal(await download("one/chest/low.txt?path=sub/deep"), "low");
        assert.equal(await download("one/cards/d1/paper"), "card");
        for (const path of ["cover", "doc", "photos/p1.jpg", "box/top.txt", "deck/d1/image", "cards/d1/image"])
          assert.equal(await site.fetched(`/download/full/one/${path}`), 404, path);
        assert.equal(await site.fetched("/imageworks/full/one/cover.jpg?w=10"), 404);
        await isPicture("/imageworks/full/one/front.jpg?w=10");
        const { front, shots } = await object("one");
        assert.match(front.url, /^\/imageworks\/full\/one\/front\.jpg\?v=/);
        assert.match(shots[1].url, /^\/imageworks\/full\/one\/shots\/p2\.jpg\?v=/);
        await isPicture(front.url);
        await isPicture(shots[1].url);
      };
      await served();
      await moved();
      await served();
      assert.deepEqual(
        site.stored("full/one").filter((path) => !path.includes(".cache")),
        [
          "cards/d1/paper/card.txt",
          "chest/sub/deep/low.txt",
          "chest/top.txt",
          "front/c.jpg",
          "letter/a.txt",
          "shots/p1.jpg",
          "shots/p2.jpg",
        ],
      );
      const now = await object("one");
      const { url: _, ...front } = now.front;
      const { url: __, ...cover } = before.cover;
      assert.deepEqual(front, cover);
      const { storedAs: ___, ...doc } = before.doc;
      assert.deepEqual(now.letter, doc);
      assert.deepEqual(now.chest, before.box);
      const counts = async (property: string) =>
        (await site.call("GET", `/collections/full/one/${property}/downloads`)).body.data;
      // Those of other nodes come seconds later.
      const { files } = await until(
        () => counts("letter"),
        ({ total }) => total > 2,
      );
      assert.deepEqual([files.length, files[0].path], [1, "letter"]);
      const pathsOf = async (property: string) => (await counts(property)).files.map(({ path }: Body) => path);
      await becomes(() => pathsOf("chest"), ["chest/sub/deep/low.txt", "chest/top.txt"]);
      assert.deepEqual(await check(), []);
    });

    test("ADM-1317 files can be changed, copied and taken back while and after they move", async () => {
      // Of this schema, so that the job of the other collection is over.
      await site.call("POST", "/collections/full", { id: "two" });
      await put("two", "letter", "a.txt", "first");
      const first = await site.lastChange("full", "two");
      await put("two", "letter", "a.txt", "second");
      await put("two", "chest", "x.txt", "in the chest");
      await site.call("POST", "/collections/full", { id: "gone" });
      await put("gone", "letter", "g.txt", "kept");
      await site.call("DELETE", "/collections/full/gone");
      await site.call("PATCH", "/collections/full/two", { letter: { password: "sesame" } });
      await rename("letter", "note");
      await rename("chest", "trunk");
      // Locks hold at every moment.
      const asVisitor = async () => (await site.server.request("GET", "/download/full/two/note", { key: null })).status;
      assert.equal(await asVisitor(), 403);
      const copied = await site.call("POST", "/collections/full/two/clone", { id: "copy" });
      assert.equal(copied.status < 300, true, copied.text);
      assert.equal(await download("copy/trunk/x.txt"), "in the chest");
      const move = { operation: "move", paths: ["x.txt"], destination: "sub" };
      assert.equal((await site.call("POST", "/depots/full/two/trunk", move)).status, 200);
      assert.equal(await download("two/trunk/x.txt?path=sub"), "in the chest");
      await moved();
      assert.equal(await asVisitor(), 403);
      assert.equal(await download("two/note"), "second");
      assert.equal(await download("copy/note"), "second");
      assert.equal(await download("two/trunk/x.txt?path=sub"), "in the chest");
      // Files of older versions and of the trash are kept under the name of then.
      const back = await site.call("POST", `/history/full/two/${first}/restore`, { properties: ["note"] });
      assert.deepEqual([back.status, back.headers.get("x-cairn-lost")], [200, null], back.text);
      assert.equal(await download("two/note"), "first");
      const entry = (await site.trashOf("full")).find(({ id }) => id === "gone");
      const returned = await site.call("POST", `/trash/${entry?.change}/restore`);
      assert.equal(returned.headers.get("x-cairn-lost"), null, returned.text);
      assert.equal(await download("gone/note"), "kept");
      assert.deepEqual(await check(), []);
    });

    test("ADM-1319 a property that takes the old name, and one that goes back to it, have their own files", async () => {
      await site.call("POST", "/collections/full", { id: "three" });
      await put("three", "note", "a.txt", "of the note");
      await rename("note", "remark");
      await moved();
      const schema = (await site.call("GET", "/schemas/thing?raw=true")).body;
      const added = { ...schema, properties: { ...schema.properties, note: { type: "file" } } };
      assert.equal((await site.call("PUT", "/schemas/thing", added)).status, 200);
      await put("three", "note", "a.txt", "another");
      assert.deepEqual([await download("three/note"), await download("three/remark")], ["another", "of the note"]);
      // Back without it: the values and files of the one that leaves are kept, as of any property.
      await rename("note", "aside");
      await rename("remark", "note");
      await moved();
      assert.deepEqual([await download("three/aside"), await download("three/note")], ["another", "of the note"]);
      assert.deepEqual(site.stored("full/three"), ["aside/a.txt", "note/a.txt"]);
      assert.deepEqual(await check(), []);
    });

    test("ADM-1320 links in texts lead to the files of the editor when the property of the text is renamed", async () => {
      await site.call("POST", "/collections/full", { id: "four" });
      const { link } = (await site.upload("upload/full/four/body", "in.txt", "inline")).body;
      await site.call("PATCH", "/collections/full/four", { body: `<p><a href="${link}">x</a></p>` });
      await rename("body", "story");
      assert.equal(String(await site.fetched(link)), "inline");
      const copied = await site.call("POST", "/collections/full/four/clone", { id: "five" });
      assert.equal(copied.status < 300, true, copied.text);
      assert.equal(String(await site.fetched(link.replace("/four/", "/five/"))), "inline");
      // A bucket does not believe in a clock that is two hours ahead.
      if (kind === "bucket") return;
      const swept = await site.later(["files:check", "--fix", "--json"]);
      assert.equal(swept.stdout.trim(), "[]", swept.stderr);
      assert.equal(String(await site.fetched(link)), "inline");
    });
  });
}
