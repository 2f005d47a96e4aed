import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { openDisk } from "./disk.ts";
import { filesContract, type TestStore } from "./files.contract.ts";
import { openStaging } from "./staging.ts";

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function prepare(): Promise<TestStore & { dataDir: string }> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), "cairn-files-")));
  folders.push(dataDir);
  const staging = await openStaging(dataDir);
  const files = await openDisk(dataDir);
  return { files, staging, dataDir, remove: () => staging.close() };
}

filesContract("disk", prepare);

describe("disk", () => {
  async function* one(content: string | Buffer): AsyncIterable<Uint8Array> {
    yield Buffer.from(content);
  }

  test("FILE-3 (T56) an opened file is read to its end, also when it is replaced or deleted", async () => {
    const { files, staging } = await prepare();
    const old = randomBytes(3_000_000);
    const first = await files.publish(await staging.receive(one(old), 1e9), "blog/two/file/big.bin");
    const opened = await files.open("blog/two/file/big.bin");
    const stream = await opened.stream();
    const another = await files.open("blog/two/file/big.bin");
    await files.publish(await staging.receive(one("small"), 1e9), "blog/two/file/big.bin");
    await files.deleteAll("blog/two");
    assert.deepEqual([opened.size, opened.tag], [first.size, first.tag]);
    assert.ok((await buffer(stream)).equals(old));
    assert.ok((await buffer(await another.stream({ start: 0, end: 0 }))).equals(old.subarray(0, 1)));
    await staging.close();
  });

  test("FILE-3 (T56) while a file is replaced in a loop, every read is wholly one of them", async () => {
    const { files, staging } = await prepare();
    const key = "blog/two/file/loop.bin";
    const put = async (letter: string) =>
      files.publish(await staging.receive(one(Buffer.alloc(2_000_000, letter)), 1e9), key);
    await put("a");
    let isOver = false;
    const writing = (async () => {
      for (const letter of "bcdefghijkl") await put(letter);
    })().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const bytes = await buffer(await files.read(key));
      assert.ok(bytes.equals(Buffer.alloc(2_000_000, bytes[0])));
    }
    await writing;
    await staging.close();
  });

  test("FILE-9 lists are in the order of whole keys", async () => {
    const { files, staging } = await prepare();
    const names = [".hidden/c.txt", "B.txt", "a-b.txt", "a.txt", "a/z.txt", "é.txt", "\u{ff5e}.txt", "\u{1d44e}.txt"];
    for (const name of names.toReversed()) await files.publish(await staging.receive(one(name), 100), `list/${name}`);
    const listed: string[] = [];
    for await (const { key } of files.list("list")) listed.push(key.slice("list/".length));
    assert.deepEqual(listed, names);
    await staging.close();
  });

  test("FILE-10 a file is stored at its key below the data directory, and an emptied folder is removed", async () => {
    const { files, staging, dataDir } = await prepare();
    await files.publish(await staging.receive(one("hello"), 100), "blog/one/photo/a.txt");
    const path = join(dataDir, "blog/one/photo/a.txt");
    assert.equal(await readFile(path, "utf8"), "hello");
    assert.equal(files.localPath("blog/one/photo/a.txt"), path);
    await files.delete("blog/one/photo/a.txt");
    assert.deepEqual(await readdir(join(dataDir, "blog")), []);
    assert.deepEqual(await readdir(staging.folder), []);
    await staging.close();
  });

  test("FILE-11 (T31) nothing is read, written or deleted through a planted link", async () => {
    const { files, staging, dataDir } = await prepare();
    const outside = await mkdtemp(join(tmpdir(), "cairn-outside-"));
    folders.push(outside);
    await writeFile(join(outside, "secret.txt"), "marker");
    await mkdir(join(dataDir, "blog/one/depot"), { recursive: true });
    await symlink(join(outside, "secret.txt"), join(dataDir, "blog/one/depot/link.txt"));
    await symlink(outside, join(dataDir, "blog/one/depot/folder"));
    await symlink(outside, join(dataDir, "blog/two"));

    for (const key of ["blog/one/depot/link.txt", "blog/one/depot/folder/secret.txt", "blog/two/secret.txt"]) {
      assert.equal(await files.find(key), undefined);
      await assert.rejects(files.open(key), { word: "not-found" });
      await assert.rejects(files.read(key), { word: "not-found" });
      await assert.rejects(files.copy(key, "blog/three/depot/copy.txt"), { word: "not-found" });
    }
    const staged = await staging.receive(one("overwritten"), 100);
    await assert.rejects(files.publish(staged, "blog/two/secret.txt"), { word: "forbidden" });
    await assert.rejects(files.publish(staged, "blog/two/made/deep/new.txt"), { word: "forbidden" });
    await files.delete("blog/two/secret.txt");
    assert.equal(await files.deleteAll("blog/two/folder"), 0);
    const listed: string[] = [];
    for await (const { key } of files.list("blog")) listed.push(key);
    assert.deepEqual(listed, []);
    await files.deleteAll("blog");
    assert.deepEqual(await readdir(outside), ["secret.txt"]);
    assert.equal(await readFile(join(outside, "secret.txt"), "utf8"), "marker");
    await staging.close();
  });

  test("FILE-11 (T31) publishing over a link replaces the link, not its target", async () => {
    const { files, staging, dataDir } = await prepare();
    const target = join(dataDir, "target.txt");
    await writeFile(target, "marker");
    await mkdir(join(dataDir, "blog/one/file"), { recursive: true });
    await symlink(target, join(dataDir, "blog/one/file/a.txt"));
    await files.publish(await staging.receive(one("new"), 100), "blog/one/file/a.txt");
    assert.equal(await readFile(target, "utf8"), "marker");
    assert.equal((await files.find("blog/one/file/a.txt"))?.size, 3);
    await staging.close();
  });

  test("FILE-11 a pipe in the data directory is not a file, and does not block", { timeout: 60_000 }, async () => {
    const { files, staging, dataDir } = await prepare();
    await mkdir(join(dataDir, "blog/one/file"), { recursive: true });
    await promisify(execFile)("mkfifo", [join(dataDir, "blog/one/file/pipe")]);
    assert.equal(await files.find("blog/one/file/pipe"), undefined);
    await assert.rejects(files.read("blog/one/file/pipe"), { word: "not-found" });
    await staging.close();
  });

  test("FILE-47 files of the service are for their owner alone, and their emptied folders go", async () => {
    const { files, staging, dataDir } = await prepare();
    const modes = async (...paths: string[]) =>
      Promise.all(paths.map(async (path) => ((await stat(join(dataDir, ".system", path))).mode & 0o777).toString(8)));
    const mask = process.umask(0o022);
    try {
      await files.system.create(new Map([["backups/schemas/a/a-1.json", "{}"]]));
      await files.system.put(await staging.receive(one("zip"), 100), "whole-backups/a.zip");
    } finally {
      process.umask(mask);
    }
    const folders = ["backups", "backups/schemas", "backups/schemas/a", "whole-backups"];
    assert.deepEqual(await modes(...folders), ["700", "700", "700", "700"]);
    assert.deepEqual(await modes("backups/schemas/a/a-1.json", "whole-backups/a.zip"), ["600", "600"]);
    await files.system.delete("backups/schemas/a/a-1.json");
    assert.deepEqual(await readdir(join(dataDir, ".system", "backups")), []);
    await staging.close();
  });

  test("FILE-11 FILE-47 (T31) no file of the service is read, written or deleted through a planted link", async () => {
    const { files, staging, dataDir } = await prepare();
    const outside = await realpath(await mkdtemp(join(tmpdir(), "cairn-outside-")));
    folders.push(outside);
    await writeFile(join(outside, "secret.json"), "marker");
    await files.system.create(new Map([["backups/schemas/a/a-1.json", "{}"]]));
    const backups = join(dataDir, ".system", "backups");
    await symlink(join(outside, "secret.json"), join(backups, "schemas/a/link.json"));
    await symlink(outside, join(backups, "objects"));
    assert.deepEqual(await Array.fromAsync(files.system.listKeys("backups")), ["backups/schemas/a/a-1.json"]);
    assert.deepEqual(await Array.fromAsync(files.system.listKeys("backups/objects")), []);
    for (const at of ["backups/schemas/a/link.json", "backups/objects/secret.json"]) {
      assert.equal(await files.system.find(at), undefined);
      await assert.rejects(files.system.open(at), { word: "not-found" });
    }
    for (const at of ["backups/objects/new.json", "backups/objects/deep/er/new.json"]) {
      await assert.rejects(files.system.create(new Map([[at, "{}"]])), { word: "forbidden" });
      await assert.rejects(files.system.put(await staging.receive(one("x"), 100), at), { word: "forbidden" });
    }
    await files.system.delete("backups/objects/secret.json");
    await files.system.deleteAll("backups/objects/deep");
    await files.system.deleteAll("backups");
    assert.deepEqual(await readdir(outside), ["secret.json"]);
    assert.equal(await readFile(join(outside, "secret.json"), "utf8"), "marker");
    await staging.close();
  });

  test("FILE-47 the folder of snapshots itself may be a link to another place", async () => {
    const { staging, dataDir } = await prepare();
    const elsewhere = await realpath(await mkdtemp(join(tmpdir(), "cairn-elsewhere-")));
    folders.push(elsewhere);
    await symlink(elsewhere, join(dataDir, ".system", "backups"));
    const files = await openDisk(dataDir);
    await files.system.create(new Map([["backups/schemas/a/a-1.json", "{}"]]));
    assert.deepEqual(await readdir(join(elsewhere, "schemas", "a")), ["a-1.json"]);
    assert.deepEqual(await Array.fromAsync(files.system.listKeys("backups")), ["backups/schemas/a/a-1.json"]);
    await staging.close();
  });

  test("FILE-12 (F17) uploads beside deletes of the same folder all end, and leave whole files or none", async () => {
    const { files, staging } = await prepare();
    const upload = async (number: number) => {
      const staged = await staging.receive(one(`content ${number}`), 100);
      await files.publish(staged, `blog/one/depot/deep/${number % 5}.txt`);
    };
    const remove = (number: number) =>
      number % 2 ? files.delete(`blog/one/depot/deep/${number % 5}.txt`) : files.deleteAll("blog/one");
    await Promise.all(Array.from({ length: 120 }, (_, number) => (number % 3 ? upload(number) : remove(number))));
    for await (const { key, size } of files.list("blog")) assert.ok(size >= 9, key);
    assert.deepEqual(await readdir(staging.folder), []);
    await staging.close();
  });

  test("FILE-12 a file and a folder cannot share a name", async () => {
    const { files, staging } = await prepare();
    await files.publish(await staging.receive(one("file"), 100), "blog/one/depot/name");
    const staged = await staging.receive(one("below"), 100);
    await assert.rejects(files.publish(staged, "blog/one/depot/name/below.txt"), { word: "exists" });
    await assert.rejects(files.publish(staged, "blog/one/depot"), { word: "exists" });
    await staging.close();
  });
});
