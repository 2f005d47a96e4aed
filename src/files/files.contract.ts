// What every file store must do; the test files beside this one run it against each.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { access, readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import type { FileStore, KeptPart, Staging } from "./port.ts";

export interface TestStore {
  files: FileStore;
  staging: Staging;
  remove(): Promise<void>;
}

const text = (bytes: Buffer) => bytes.toString("utf8");
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

export function filesContract(kind: string, prepare: () => Promise<TestStore>): void {
  describe(`files on ${kind}`, () => {
    let store: TestStore;
    let files: FileStore;
    before(async () => {
      store = await prepare();
      files = store.files;
    });
    after(() => store.remove());

    const stage = (content: string | Buffer) => store.staging.receive(one(Buffer.from(content)), 1e9);
    const put = async (key: string, content: string | Buffer) => files.publish(await stage(content), key);
    const get = async (key: string) => text(await buffer(await files.read(key)));
    const keys = async (prefix: string, options?: { withCache?: boolean }) => {
      const found: string[] = [];
      for await (const { key } of files.list(prefix, options)) found.push(key);
      return found;
    };

    test("FILE-1 a published file is found under its key with its size, time and tag, and the staged one is gone", async () => {
      const staged = await stage("hello");
      const before = Date.now();
      const published = await files.publish(staged, "blog/one/photo/a.txt");
      assert.deepEqual(await files.find("blog/one/photo/a.txt"), published);
      assert.equal(published.size, 5);
      assert.ok(Math.abs(published.modified - before) < 5_000, `modified ${published.modified}`);
      assert.match(published.tag, /^[\w.-]+$/);
      assert.equal(await get("blog/one/photo/a.txt"), "hello");
      await assert.rejects(access(staged.path));
    });

    test("FILE-1 an empty file and a name in any language are kept", async () => {
      await put("blog/one/depot/leer.bin", "");
      assert.equal((await files.find("blog/one/depot/leer.bin"))?.size, 0);
      assert.equal(await get("blog/one/depot/leer.bin"), "");
      const name = "blog/one/depot/Übergrößen/山 sommet été.txt";
      await put(name, "up");
      assert.equal(await get(name), "up");
      assert.deepEqual(await keys("blog/one/depot/Übergrößen"), [name]);
    });

    test("FILE-1 a missing file is undefined by find and not found by read", async () => {
      assert.equal(await files.find("blog/one/photo/none.txt"), undefined);
      assert.equal(await files.find("blog/one/photo/a.txt/below"), undefined);
      await assert.rejects(files.read("blog/one/photo/none.txt"), { word: "not-found" });
      await assert.rejects(files.open("blog/one/photo/none.txt"), { word: "not-found" });
      await assert.rejects(files.copy("blog/one/photo/none.txt", "blog/one/photo/b.txt"), { word: "not-found" });
      assert.deepEqual(await keys("nowhere/at/all"), []);
    });

    for (const key of [
      "",
      "/etc/passwd",
      "blog//a",
      "blog/../../a",
      "blog/./a",
      "blog/one/..",
      "blog/a\u0000b",
      "blog/a\\b",
      "blog/a\nb",
      ".system/settings.json",
      ".schemas/x.json",
      ".attic/1/a",
      `blog/${"x".repeat(900)}`,
    ]) {
      test(`FILE-2 (T30) the key ${JSON.stringify(key).slice(0, 40)} is refused by every operation`, async () => {
        const staged = await stage("out");
        const refused = { word: "invalid" };
        await assert.rejects(async () => files.find(key), refused);
        await assert.rejects(async () => files.open(key), refused);
        await assert.rejects(async () => files.read(key), refused);
        await assert.rejects(async () => files.publish(staged, key), refused);
        await assert.rejects(async () => files.copy("blog/one/photo/a.txt", key), refused);
        await assert.rejects(async () => files.delete(key), refused);
        await assert.rejects(async () => files.deleteAll(key), refused);
        await assert.rejects(keys(key), refused);
        await store.staging.discard(staged);
      });
    }

    for (const at of ["", "x/a", "../1/a", "1/../../a", ".system/a", "1//a", "1/a\u0000b", "/1/a"]) {
      test(`FILE-45 the place ${JSON.stringify(at)} of the attic is refused by every operation`, async () => {
        const staged = await stage("out");
        const refused = { word: "invalid" };
        await put("blog/attic/file/a.txt", "a");
        await assert.rejects(async () => files.attic.keep("blog/attic/file/a.txt", at), refused);
        await assert.rejects(async () => files.attic.takeBack(at, "blog/attic/file/b.txt"), refused);
        await assert.rejects(async () => files.attic.open(at), refused);
        await assert.rejects(async () => files.attic.put(staged, at), refused);
        await assert.rejects(async () => files.attic.delete(at), refused);
        await assert.rejects(async () => files.attic.deleteAll(at), refused);
        await assert.rejects(async () => {
          for await (const _ of files.attic.list(at));
        }, refused);
        await store.staging.discard(staged);
      });
    }

    test("FILE-45 a file goes into the attic and comes back; no key leads there, and it goes alone, with its object or with all", async () => {
      const kept = async (prefix?: string) => {
        const found: string[] = [];
        for await (const { key } of files.attic.list(prefix)) found.push(key);
        return found;
      };
      await put("blog/attic/file/a.txt", "first");
      const since = Date.now();
      assert.equal(await files.attic.keep("blog/attic/file/a.txt", "7/file/aa-5"), true);
      assert.equal(await files.attic.keep("blog/attic/file/a.txt", "7/file/aa-5"), false);
      assert.equal(await files.find("blog/attic/file/a.txt"), undefined);
      for await (const { modified, size } of files.attic.list("7"))
        assert.ok(size === 5 && Math.abs(modified - since) < 60_000);
      assert.equal(await files.attic.takeBack("7/file/aa-5", "blog/attic/file/b.txt"), true);
      assert.equal(await files.attic.takeBack("7/file/bb-5", "blog/attic/file/c.txt"), false);
      assert.equal(await get("blog/attic/file/b.txt"), "first");
      // The same file again: it is there already.
      assert.equal(await files.attic.keep("blog/attic/file/b.txt", "7/file/aa-5"), true);
      assert.equal(await files.find("blog/attic/file/b.txt"), undefined);
      assert.equal(text(await (await files.attic.open("7/file/aa-5")).read()), "first");
      await assert.rejects(files.attic.open("7/file/bb-5"), { word: "not-found" });
      for (const at of ["7/photos/deep/cc-3", "70/file/dd-3", "8/file/ee-3"])
        await files.attic.put(await stage("put"), at);
      assert.deepEqual(await kept(), ["7/file/aa-5", "7/photos/deep/cc-3", "70/file/dd-3", "8/file/ee-3"]);
      assert.deepEqual(await kept("7"), ["7/file/aa-5", "7/photos/deep/cc-3"]);
      assert.deepEqual(await keys("blog/attic"), []);
      await files.attic.delete("7/file/aa-5");
      await files.attic.delete("7/file/aa-5");
      assert.equal(await files.attic.deleteAll("7"), 1);
      assert.deepEqual(await kept(), ["70/file/dd-3", "8/file/ee-3"]);
      assert.equal(await files.attic.deleteAll(), 2);
      assert.equal(await files.attic.deleteAll(), 0);
    });

    const strange = [
      "",
      "settings.json",
      "backups",
      "backups/",
      "/backups/a",
      "backups/../settings.json",
      "backups//a",
    ];
    for (const at of [...strange, "backups/.a.tmp", "backups/a\\b", "backups/a\nb", "backup/a", ".system/backups/a"]) {
      test(`FILE-46 the place ${JSON.stringify(at)} of the service is refused by every operation`, async () => {
        const staged = await stage("out");
        const refused = { word: "invalid" };
        const { system } = files;
        await assert.rejects(async () => system.find(at), refused);
        await assert.rejects(async () => system.open(at), refused);
        await assert.rejects(async () => system.create(new Map([[at, "x"]])), refused);
        await assert.rejects(async () => system.put(staged, at), refused);
        await assert.rejects(async () => system.delete(at), refused);
        if (at !== "backups") {
          await assert.rejects(async () => system.deleteAll(at), refused);
          await assert.rejects(Array.fromAsync(system.list(at)), refused);
          await assert.rejects(Array.fromAsync(system.listKeys(at)), refused);
        }
        await store.staging.discard(staged);
      });
    }

    test("FILE-46 files of the service are created once, read, listed and deleted; no key of a file leads there", async () => {
      const { system } = files;
      const listed = (prefix: string) => Array.fromAsync(system.listKeys(prefix));
      const read = async (at: string) => text(await (await system.open(at)).read());
      const names = ["backups/schemas/a/a-1.json", "backups/schemas/ab/ab-1.json"];
      const texts = new Map(names.map((name) => [name, `of ${name} ü`]));
      assert.deepEqual(await system.create(texts), new Set());
      const second = "backups/schemas/a/a-2.json";
      const taken = await system.create(
        new Map([
          [names[0] as string, "other"],
          [second, "second"],
        ]),
      );
      assert.deepEqual([...taken], [names[0]]);
      assert.equal(await read(names[0] as string), "of backups/schemas/a/a-1.json ü");
      assert.equal(await read(second), "second");
      assert.deepEqual(await listed("backups"), [names[0], second, names[1]]);
      assert.deepEqual(await listed("backups/schemas/a"), [names[0], second]);
      assert.deepEqual(await listed("backups/objects"), []);
      for await (const { key, ...file } of system.list("backups")) assert.deepEqual(await system.find(key), file);
      await assert.rejects(files.system.open("backups/schemas/a/none.json"), { word: "not-found" });
      assert.equal(await system.find("backups/schemas/a/none.json"), undefined);
      await assert.rejects(keys(".system"), { word: "invalid" });
      await assert.rejects(async () => files.deleteAll(".system/backups"), { word: "invalid" });
      await system.delete(second);
      await system.delete(second);
      assert.equal(await system.find(second), undefined);
      await system.deleteAll("backups/schemas/a");
      assert.deepEqual(await listed("backups"), [names[1]]);
      await system.deleteAll("backups");
      await system.deleteAll("backups");
      assert.deepEqual(await listed("backups"), []);
    });

    test("FILE-46 one large file is moved to the service, and read in parts; aborted in time, it is not there", async () => {
      const { system } = files;
      const bytes = randomBytes(17 * 1024 * 1024 + 3);
      const aborted = await stage(bytes);
      await assert.rejects(
        system.put(aborted, "whole-backups/a.zip", AbortSignal.abort(new Error("enough"))),
        /enough/,
      );
      assert.deepEqual(await Array.fromAsync(system.listKeys("whole-backups")), []);
      await system.put(aborted, "whole-backups/a.zip");
      await assert.rejects(access(aborted.path));
      assert.equal((await system.find("whole-backups/a.zip"))?.size, bytes.length);
      const range = { start: 9_000_000, end: 9_000_009 };
      const part = await (await system.open("whole-backups/a.zip")).read(range);
      assert.ok(part.equals(bytes.subarray(range.start, range.end + 1)));
      const hash = createHash("sha256");
      for await (const chunk of await (await system.open("whole-backups/a.zip")).stream()) hash.update(chunk);
      assert.equal(hash.digest("hex"), sha256(bytes));
      await system.delete("whole-backups/a.zip");
    });

    test("FILE-3 a replaced file has a new tag", async () => {
      const first = await put("blog/two/file/a.bin", "first");
      const second = await put("blog/two/file/a.bin", "other");
      assert.notEqual(second.tag, first.tag);
      assert.equal(await get("blog/two/file/a.bin"), "other");
    });

    test("FILE-4 a range is read exactly, from a file and from an opened one", async () => {
      await put("blog/two/file/digits.txt", "0123456789");
      const range = async (start: number, end: number) =>
        text(await buffer(await files.read("blog/two/file/digits.txt", { start, end })));
      assert.deepEqual(await Promise.all([range(0, 1), range(3, 5), range(9, 9)]), ["01", "345", "9"]);
      const opened = await files.open("blog/two/file/digits.txt");
      assert.equal(text(await buffer(await opened.stream({ start: 7, end: 9 }))), "789");
      const atOnce = await files.open("blog/two/file/digits.txt");
      assert.equal(text(await atOnce.read({ start: 2, end: 4 })), "234");
      const whole = await files.open("blog/two/file/digits.txt");
      assert.equal(text(await whole.read()), "0123456789");
      const unread = await files.open("blog/two/file/digits.txt");
      await unread.close();
    });

    test("FILE-5 a file of many parts arrives byte for byte", async () => {
      const bytes = randomBytes(20 * 1024 * 1024 + 17);
      const { size } = await put("blog/three/file/large.bin", bytes);
      assert.equal(size, bytes.length);
      const hash = createHash("sha256");
      for await (const chunk of await files.read("blog/three/file/large.bin")) hash.update(chunk);
      assert.equal(hash.digest("hex"), createHash("sha256").update(bytes).digest("hex"));
      await files.deleteAll("blog/three");
    });

    test("FILE-6 a copy has the same bytes, and stays when the other one is replaced", async () => {
      await put("blog/four/depot/a.txt", "A");
      await put("blog/four/depot/b.txt", "B");
      await files.copy("blog/four/depot/a.txt", "blog/four/depot/deep/er/copy.txt");
      await files.copy("blog/four/depot/a.txt", "blog/four/depot/b.txt");
      assert.deepEqual(await keys("blog/four"), [
        "blog/four/depot/a.txt",
        "blog/four/depot/b.txt",
        "blog/four/depot/deep/er/copy.txt",
      ]);
      for (const key of await keys("blog/four")) assert.equal(await get(key), "A");
      await put("blog/four/depot/b.txt", "new");
      assert.equal(await get("blog/four/depot/a.txt"), "A");
      await files.copy("blog/four/depot/b.txt", "blog/four/depot/b.txt");
      assert.equal(await get("blog/four/depot/b.txt"), "new");
    });

    test("FILE-7 a deleted file is gone, and deleting it again is not an error", async () => {
      await put("blog/five/photo/a.txt", "A");
      await files.delete("blog/five/photo/a.txt");
      await files.delete("blog/five/photo/a.txt");
      assert.equal(await files.find("blog/five/photo/a.txt"), undefined);
    });

    test("FILE-8 whole folders are deleted, with derived images", async () => {
      const names = ["a.txt", "sub/b.txt", ".cache/a.txt/1.webp"];
      for (const name of names) await put(`blog/six/photo/${name}`, name);
      await put("blog/sixty/photo/other.txt", "stays");
      assert.equal(await files.deleteAll("blog/six"), 3);
      assert.equal(await files.deleteAll("blog/six"), 0);
      assert.deepEqual(await keys("blog/six", { withCache: true }), []);
      assert.equal(await get("blog/sixty/photo/other.txt"), "stays");
    });

    test("FILE-9 lists have every file below, with derived images only when asked for", async () => {
      const names = ["a/z.txt", "a-b.txt", "a.txt", "B.txt", ".hidden/c.txt", "é.txt", ".cache/a.txt/1"];
      for (const name of names) await put(`list/one/depot/${name}`, name);
      const sorted = (some: string[]) => some.map((name) => `list/one/depot/${name}`).sort();
      assert.deepEqual((await keys("list/one/depot")).sort(), sorted(names.slice(0, -1)));
      assert.deepEqual((await keys("list", { withCache: true })).sort(), sorted(names));
      assert.deepEqual(await keys("list/one/depot/.cache"), ["list/one/depot/.cache/a.txt/1"]);
      for await (const { key, ...file } of files.list("list/one")) assert.deepEqual(await files.find(key), file);
    });

    const receive = (upload: string, index: number, content: string | Buffer, maxBytes = 1e9) =>
      files.parts.receive({ upload, index, source: one(Buffer.from(content)), maxBytes }, store.staging);
    const gather = async (upload: string, parts: KeptPart[]) => {
      const staged = await files.parts.gather(upload, parts, store.staging);
      const bytes = await readFile(staged.path);
      assert.deepEqual([staged.size, staged.digest], [bytes.length, sha256(bytes)]);
      await store.staging.discard(staged);
      return text(bytes);
    };
    const stale = async (before: number) => {
      const found: string[] = [];
      for await (const { upload, size } of files.parts.listStale(before)) found.push(`${upload} ${size}`);
      return found.sort();
    };

    test("FILE-19 parts in their order are one file, and stay until they are deleted", async () => {
      const parts: KeptPart[] = [];
      for (const [index, content] of ["one ", "two ", "", "three"].entries())
        parts.push(await receive("in-order", index, content));
      assert.deepEqual(
        parts.map(({ size }) => size),
        [4, 4, 0, 5],
      );
      assert.equal(await gather("in-order", parts), "one two three");
      assert.equal(await gather("in-order", parts), "one two three");
      await files.parts.delete("in-order", parts);
      await files.parts.delete("in-order", parts);
      assert.equal((await files.parts.listLost("in-order", parts)).length, 4);
    });

    test("FILE-19 parts come in any order, at the same moment and again; each time under another name", async () => {
      const large = randomBytes(3 * 1024 * 1024 + 1).toString("hex");
      const [two, three, first] = await Promise.all([
        receive("any", 1, "two "),
        receive("any", 2, large),
        receive("any", 0, "one "),
      ]);
      const again = await receive("any", 1, "TWO ");
      assert.notEqual(again.name, two.name);
      assert.equal(await gather("any", [first, two, three]), `one two ${large}`);
      await files.parts.discard("any", two);
      assert.equal(await gather("any", [first, again, three]), `one TWO ${large}`);
      await files.parts.delete("any");
      assert.equal((await files.parts.listLost("any", [first, again, three])).length, 3);
    });

    test("FILE-19 a part that breaks off or is too large leaves nothing, and the row goes on", async () => {
      const first = await receive("broken", 0, "first ");
      await assert.rejects(receive("broken", 1, "much too long", 5), { word: "too-large" });
      const source = (async function* () {
        yield Buffer.from("half of it");
        throw new Error("gone");
      })();
      await assert.rejects(
        files.parts.receive({ upload: "broken", index: 1, source, maxBytes: 100 }, store.staging),
        /gone/,
      );
      const second = await receive("broken", 1, "second");
      assert.equal(await gather("broken", [first, second]), "first second");
      assert.deepEqual(await files.parts.listLost("broken", [first, { ...second, size: 7 }]), [{ ...second, size: 7 }]);
      await files.parts.delete("broken");
      await assert.rejects(receive("nothing", 0, "much too long", 5), { word: "too-large" });
      assert.deepEqual(await stale(Date.now() + 60_000), []);
    });

    test("FILE-36 (T30) nothing else in the store sees parts, and no name of an upload leads out", async () => {
      const kept = await receive("hidden", 0, "secret");
      for (const prefix of [".uploads/hidden", ".system/uploads/hidden.parts"]) {
        await assert.rejects(keys(prefix), { word: "invalid" });
        await assert.rejects(async () => files.read(`${prefix}/${kept.name}`), { word: "invalid" });
      }
      for (const upload of ["../x", "a/b", "", ".", "a\u0000"]) {
        await assert.rejects(receive(upload, 0, "x"), { word: "invalid" });
        await assert.rejects(async () => files.parts.delete(upload), { word: "invalid" });
      }
      assert.deepEqual(await stale(Date.now() - 60_000), []);
      await receive("other", 0, "12");
      assert.deepEqual(await stale(Date.now() + 60_000), ["hidden 6", "other 2"]);
      for (const upload of ["hidden", "other"]) await files.parts.delete(upload);
      assert.deepEqual(await stale(Date.now() + 60_000), []);
    });
  });
}

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
