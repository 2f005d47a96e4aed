// The files of older versions and of the trash: they come back byte for byte, on disk and from a bucket, until they are too old.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type AtticSite, startAtticSite } from "../../support/attic-site.ts";
import { picture } from "../../support/sample-files.ts";

type Body = Record<string, unknown>;

for (const kind of ["disk", "bucket"] as const) {
  describe(`files on ${kind}`, () => {
    let site: AtticSite;
    before(async () => {
      site = await startAtticSite(kind);
    });
    after(() => site.stop());

    const object = (id: string, collection = "full") => `/collections/${collection}/${id}`;
    const make = (id: string, body: Body = {}, collection = "full") =>
      site.call("POST", `/collections/${collection}`, { id, ...body });
    const put = (id: string, property: string, name: string, bytes: string | Uint8Array, collection = "full") =>
      site.upload(`collections/${collection}/${id}/${property}`, name, bytes);
    const restore = (id: string, change: string, body?: Body) =>
      site.call("POST", `/history/full/${id}/${change}/restore`, body);
    const download = async (path: string) => String(await site.fetched(`/download/full/${path}`));
    const restoreLast = async (collection = "full") => {
      const [entry] = await site.trashOf(collection);
      return site.call("POST", `/trash/${entry?.change}/restore`);
    };

    test("ATT-1 an image that was replaced comes back with its version, byte for byte, and so does the newer one", async () => {
      await make("img");
      const [first, second] = [await picture(40, 30), await picture(20, 10)];
      const before = (await put("img", "cover", "a.jpg", first)).body.data.cover;
      const old = await site.lastChange("full", "img");
      const after = (await put("img", "cover", "a.jpg", second)).body.data.cover;
      const newer = await site.lastChange("full", "img");
      const back = await restore("img", old);
      assert.deepEqual([back.status, back.headers.get("x-cairn-lost")], [200, null]);
      assert.deepEqual(await site.fetched(back.body.data.cover.url), first);
      const { storedAs: _, ...restored } = back.body.data.cover;
      const { storedAs: __, ...was } = before;
      assert.deepEqual(restored, was);
      const again = await restore("img", newer);
      assert.deepEqual(await site.fetched(again.body.data.cover.url), second);
      assert.equal(again.body.data.cover.hash, after.hash);
      assert.equal(site.stored("full/img/cover").length, 1);
      assert.equal((await site.fetched("/imageworks/full/img/cover.png?w=10")) instanceof Buffer, true);
    });

    test("ATT-1 a name that was used three times leads each version to its own file", async () => {
      await make("thrice");
      const versions: [change: string, text: string][] = [];
      for (const text of ["one", "two", "3rd"]) {
        await put("thrice", "doc", "a.txt", text);
        versions.push([await site.lastChange("full", "thrice"), text]);
      }
      for (const [change, text] of [...versions, ...versions.toReversed()]) {
        const { status, body, headers } = await restore("thrice", change);
        assert.deepEqual([status, body.data.doc.name, headers.get("x-cairn-lost")], [200, "a.txt", null]);
        assert.equal(await download("thrice/doc"), text);
      }
      assert.equal(site.stored("full/thrice/doc").length, 1);
    });

    test("ATT-2 an object from the trash has all its files: alone, in galleries, depots and decks, of an editor, and their locks", async () => {
      await make("all", { deck: [{ id: "d1" }] });
      const image = await picture(8, 8);
      await put("all", "cover", "c.jpg", image);
      await put("all", "doc", "open.txt", "open");
      for (const name of ["p1.jpg", "p2.jpg"]) await put("all", "photos", name, image);
      await put("all", "box", "top.txt", "top");
      await put("all", "box/sub/deep", "low.txt", "low");
      await put("all", "deck/d1/image", "card.txt", "card");
      const { link } = (await site.upload("upload/full/all/body", "in text.txt", "inline")).body;
      await site.call("PATCH", object("all"), { body: `<p><a href="${link}">x</a></p>`, doc: { password: "sesame" } });
      const before = (await site.call("GET", object("all"))).body.data;
      const files = site.stored("full/all");
      assert.equal(files.length, 8);
      assert.equal((await site.server.request("GET", "/download/full/all/doc", { key: null })).status, 403);
      assert.equal((await site.call("DELETE", object("all"))).status, 204);
      assert.deepEqual(site.stored("full/all"), []);
      const back = await restoreLast();
      assert.deepEqual([back.status, back.headers.get("x-cairn-lost")], [200, null], back.text);
      const { modified: _, ...restored } = back.body.data;
      const { modified: __, ...was } = before;
      assert.deepEqual(restored, was);
      assert.deepEqual(site.stored("full/all"), files);
      assert.equal(await download("all/box/low.txt?path=sub/deep"), "low");
      assert.equal(await download("all/deck/d1/image"), "card");
      assert.equal(String(await site.fetched(link)), "inline");
      assert.deepEqual(await site.fetched("/imageworks/full/all/photos/p2.jpg"), image);
      assert.equal((await site.server.request("GET", "/download/full/all/doc", { key: null })).status, 403);
    });

    test("ATT-2 an object that comes back under another id has its files there", async () => {
      await make("away", { title: "Away" });
      await put("away", "photos", "p.jpg", await picture(5, 5));
      await site.call("DELETE", object("away"));
      await make("away");
      await put("away", "photos", "p.jpg", await picture(6, 6));
      const entry = (await site.trashOf("full")).find(({ id }) => id === "away");
      const back = await site.call("POST", `/trash/${entry?.change}/restore`, { id: "home" });
      assert.equal(back.status, 200, back.text);
      assert.deepEqual(await site.fetched(back.body.data.photos[0].url), await picture(5, 5));
      const taken = (await site.call("GET", object("away"))).body.data.photos[0];
      assert.deepEqual(await site.fetched(taken.url), await picture(6, 6));
    });

    test("ATT-3 a version whose name another file has now comes back under another name; that file goes, and can come back too", async () => {
      await make("names");
      await put("names", "box", "a.txt", "first");
      const old = await site.lastChange("full", "names");
      await site.call("DELETE", `${object("names")}/box/a.txt`);
      await put("names", "box", "a.txt", "again");
      const newer = await site.lastChange("full", "names");
      const back = await restore("names", old);
      const [entry] = back.body.data.box.files;
      assert.notEqual(entry.name, "a.txt");
      assert.equal(await download(`names/box/${entry.name}`), "first");
      assert.deepEqual(site.stored("full/names/box"), [entry.name]);
      assert.equal((await restore("names", newer)).body.data.box.files[0].name, "a.txt");
      assert.equal(await download("names/box/a.txt"), "again");
    });

    test("ATT-3 a file that moved within its depot is not kept twice, and its older version finds it", async () => {
      await make("moves");
      await put("moves", "box", "m.txt", "moving");
      const old = await site.lastChange("full", "moves");
      await site.call("PUT", `${object("moves")}/box/m.txt/move`, { destination: "sub" });
      const rid = (await site.call("GET", object("moves"))).headers.get("etag")?.split("-")[0]?.slice(1);
      assert.deepEqual(site.stored(`.attic/${rid}`), []);
      assert.equal((await restore("moves", old)).headers.get("x-cairn-lost"), null);
      assert.equal(await download("moves/box/m.txt"), "moving");
      assert.deepEqual(site.stored("full/moves/box"), ["m.txt"]);
    });

    test("ATT-4 a file that took a password comes back with a version only where there is a password", async () => {
      await make("safe");
      await put("safe", "box", "s.txt", "secret");
      await site.call("PATCH", object("safe"), { box: { files: [{ name: "s.txt", password: "sesame" }] } });
      const old = await site.lastChange("full", "safe");
      await site.call("DELETE", `${object("safe")}/box/s.txt`);
      const back = await restore("safe", old);
      assert.deepEqual([back.status, back.headers.get("x-cairn-lost")], [200, "box/s.txt"]);
      assert.deepEqual(back.body.data.box.files, []);
      await site.call("PATCH", object("safe"), { box: { files: [], password: "other" } });
      const locked = await restore("safe", old);
      assert.equal(locked.headers.get("x-cairn-lost"), null);
      assert.equal(await download("safe/box/s.txt"), "secret");
      assert.equal((await site.server.request("GET", "/download/full/safe/box/s.txt", { key: null })).status, 403);
    });

    test("ATT-5 a file of an editor comes back with the version whose text links to it", async () => {
      await make("text");
      const { link } = (await site.upload("upload/full/text/body", "pic.txt", "words")).body;
      await site.call("PATCH", object("text"), { body: `<p><a href="${link}">x</a></p>` });
      const old = await site.lastChange("full", "text");
      await site.call("PATCH", object("text"), { body: "<p>none</p>" });
      assert.equal((await site.call("DELETE", "/upload/full/text/body/pic.txt")).status, 200);
      assert.equal(await site.fetched(link), 404);
      await restore("text", old);
      assert.equal(String(await site.fetched(link)), "words");
    });

    test("ATT-6 a purge leaves no byte: of a deletion, of one entry of the trash, of all of them, of a collection", async () => {
      const rids = new Map<string, string>();
      await site.call("POST", "/collections", { id: "gone", schema: "thing", history: "full" });
      for (const id of ["g1", "g2", "g3", "g4"]) {
        const made = await make(id, {}, "gone");
        rids.set(id, made.headers.get("etag")?.split("-")[0]?.slice(1) as string);
        await put(id, "doc", "a.txt", `old ${id}`, "gone");
        await put(id, "doc", "a.txt", `new ${id}`, "gone");
      }
      const kept = (id: string) => site.stored(`.attic/${rids.get(id)}`).length + site.stored(`gone/${id}`).length;
      assert.equal(kept("g1"), 2);
      await site.call("DELETE", `${object("g1", "gone")}?purge=true`);
      assert.equal(kept("g1"), 0);
      for (const id of ["g2", "g3"]) await site.call("DELETE", object(id, "gone"));
      assert.deepEqual([kept("g2"), kept("g3")], [2, 2]);
      const entry = (await site.trashOf("gone")).find(({ id }) => id === "g2");
      assert.equal((await site.call("DELETE", `/trash/${entry?.change}`)).status, 204);
      assert.deepEqual([kept("g2"), kept("g3")], [0, 2]);
      assert.equal((await site.call("DELETE", "/trash?collection=gone&confirm=gone")).status, 204);
      assert.equal(kept("g3"), 0);
      assert.equal((await site.call("DELETE", "/collections/gone?confirm=gone&purge=true")).status, 204);
      assert.equal(kept("g4"), 0);
    });

    test("ATT-2 a deleted collection comes back with the files of its objects, and with what they had lost before", async () => {
      await site.call("POST", "/collections", { id: "whole", schema: "thing", history: "full" });
      for (const id of ["w1", "w2"]) {
        await make(id, {}, "whole");
        await put(id, "doc", "a.txt", `old ${id}`, "whole");
        await put(id, "doc", "a.txt", `new ${id}`, "whole");
        await put(id, "box/in", "b.txt", `box ${id}`, "whole");
      }
      const { change } = (await site.call("GET", "/history/whole/w1")).body.data[2];
      assert.equal((await site.call("DELETE", "/collections/whole?confirm=whole")).status, 204);
      assert.deepEqual(site.stored("whole"), []);
      const entry = (await site.trashOf("whole")).find(({ id }) => id === "");
      assert.equal((await site.call("POST", `/trash/${entry?.change}/restore`)).status, 202);
      await until(async () => (await site.call("GET", "/collections/whole/settings")).body.data?.totalObjects === 2);
      for (const id of ["w1", "w2"]) {
        assert.equal(String(await site.fetched(`/download/whole/${id}/doc`)), `new ${id}`);
        assert.equal(String(await site.fetched(`/download/whole/${id}/box/b.txt?path=in`)), `box ${id}`);
      }
      assert.equal((await site.call("POST", `/history/whole/w1/${change}/restore`)).status, 200);
      assert.equal(String(await site.fetched("/download/whole/w1/doc")), "old w1");
    });

    test("ATT-7 without a full history nothing is kept", async () => {
      const before = site.stored(".attic").length;
      for (const collection of ["trail", "off"]) {
        await make("n", {}, collection);
        await put("n", "doc", "a.txt", "one", collection);
        await put("n", "doc", "a.txt", "two", collection);
        await site.call("DELETE", object("n", collection));
        assert.deepEqual(site.stored(collection), []);
      }
      assert.equal(site.stored(".attic").length, before);
    });

    test("ATT-8 an undo takes files back: of an import that replaced a deck, of a deletion, and of an upload", async () => {
      for (const id of ["u1", "u2"]) await make(id, { deck: [{ id: "d" }] });
      await put("u1", "deck/d/image", "i.txt", "in the deck");
      await put("u2", "doc", "u.txt", "deleted");
      const body = [{ id: "u1", deck: [{ id: "other" }] }];
      const imported = await site.server.request("POST", "/api/import/collections/full/json?update=true", { body });
      assert.equal(imported.status, 200, imported.text);
      assert.deepEqual(site.stored("full/u1"), []);
      const run = (await site.call("GET", "/jobs?kind=import&limit=1")).body.data[0].id;
      const undo = async (by: Body, since?: string) => {
        const asked = { by, collections: ["full"], ...(since && { since }) };
        const { plan } = (await site.call("POST", "/undo", asked)).body.data;
        const { job } = (await site.call("POST", "/undo", { ...asked, apply: plan })).body.data;
        const look = async () => (await site.call("GET", `/jobs/${job}`)).body.data;
        const ended = await until(look, ({ status }) => status === "succeeded" || status === "failed");
        assert.deepEqual([ended.status, ended.result.lost], ["succeeded", []], JSON.stringify(ended));
      };
      await undo({ import: run });
      assert.equal(await download("u1/deck/d/image"), "in the deck");
      const { id, key } = await site.server.makeKey();
      const since = new Date().toISOString();
      await site.server.request("DELETE", "/api/collections/full/u2", { key });
      await site.server.request("DELETE", "/api/collections/full/u1/deck/d/image/i.txt", { key });
      await undo({ key: id }, since);
      assert.equal(await download("u2/doc"), "deleted");
    });

    test("ATT-11 no address leads into the attic, no path of an upload either, and derived images are not in it", async () => {
      await make("path");
      const image = await picture(30, 30);
      await put("path", "cover", "a.jpg", image);
      assert.ok((await site.fetched("/imageworks/full/path/cover.jpg?w=10")) instanceof Buffer);
      const rid = (await site.call("GET", object("path"))).headers.get("etag")?.split("-")[0]?.slice(1);
      await put("path", "cover", "a.jpg", await picture(31, 31));
      const [at = ""] = site.stored(`.attic/${rid}`);
      assert.equal(site.stored(`.attic/${rid}`).length, 1);
      const place = `.attic/${rid}/${at}`;
      const escaped = encodeURIComponent(place);
      const name = at.split("/").at(-1);
      const tricks = ["download", "stream", "imageworks", "download/upload", "imageworks/upload"].flatMap((route) => [
        `/${route}/${place}`,
        `/${route}/${escaped}`,
        `/${route}/full/path/..%2F..%2F${escaped}`,
        `/${route}/full/path/cover/..%2F..%2F..%2F${escaped}`,
        `/${route}/full/path/box/${name}?path=..%2F..%2F..%2F.attic%2F${rid}%2Fcover`,
        `/${route}/full/path/cover/${name}`,
        `/${route}/full/..%2F.attic%2F${rid}/cover/${name}`,
      ]);
      for (const address of [...tricks, `/${place}`, `/api/collections/${place}`, `/api/upload/${place}`]) {
        const { status, text } = await site.server.request("GET", address);
        assert.ok(status >= 400 && status < 500, `${address}: ${status} ${text.slice(0, 100)}`);
      }
      const before = site.stored(".attic");
      const refused = [
        await site.call("POST", "/collections", { id: ".attic", schema: "thing" }),
        await site.call("POST", "/collections/.attic", { id: "x" }),
        await site.call("PUT", `${object("path")}/box/folder`, { path: `../../../.attic/${rid}` }),
        await site.call("DELETE", `/upload/full/path/body/..%2F..%2F..%2F${escaped}`),
        await site.call("DELETE", `/collections/${place}`),
      ];
      for (const { status } of refused) assert.ok(status >= 400 && status < 500, String(status));
      assert.deepEqual(site.stored(".attic"), before);
    });

    test("ATT-9 files are kept for history.files; cairn info counts them, and history:prune deletes older ones", async () => {
      await make("old");
      await put("old", "doc", "a.txt", "first");
      const change = await site.lastChange("full", "old");
      await put("old", "doc", "a.txt", "second");
      const files = site.stored(".attic").length;
      if (kind === "disk") {
        const { stdout } = await site.server.cli(["info", "--json"]);
        assert.ok(JSON.parse(stdout).sizes.droppedFiles >= 5, stdout);
      }
      const pruned = JSON.parse((await site.server.cli(["history:prune", "--json"])).stdout);
      assert.equal(pruned.files, 0);
      assert.equal(site.stored(".attic").length, files);
      await site.server.setSetting("history.files", "PT1S");
      let gone = 0;
      await until(async () => {
        gone += JSON.parse((await site.server.cli(["history:prune", "--json"])).stdout).files;
        return gone === files;
      });
      assert.deepEqual(site.stored(".attic"), []);
      const back = await restore("old", change);
      assert.deepEqual([back.status, back.headers.get("x-cairn-lost")], [200, "doc/a.txt"]);
      assert.equal(back.body.data.doc, undefined);
      await site.server.setSetting("history.files", null);
    });
  });
}
