import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { decryptSecret, encryptSecret, findSiteKey, getSiteKey } from "./secrets.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "cairn-secrets-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const file = () => join(dataDir, ".system", "site.key");
const module = JSON.stringify(join(import.meta.dirname, "secrets.ts"));
const makeKey = () =>
  `import(${module}).then(({getSiteKey}) => process.stdout.write(getSiteKey(process.argv[1]).toString("hex")))`;

test("SEC-1 the site key is 32 bytes, made once, and for its owner only whatever the umask (T118)", () => {
  assert.equal(findSiteKey(dataDir), undefined);
  const umask = process.umask(0);
  try {
    const key = getSiteKey(dataDir);
    assert.equal(key.length, 32);
    assert.deepEqual(getSiteKey(dataDir), key);
  } finally {
    process.umask(umask);
  }
  assert.equal(statSync(file()).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(dataDir, ".system")), ["site.key"]);
});

test("SEC-1 processes that need the site key at the same moment get the same one", async () => {
  const keys = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const child = spawn(process.execPath, ["-e", makeKey(), dataDir]);
      let text = "";
      for await (const chunk of child.stdout) text += chunk;
      return text;
    }),
  );
  assert.equal(new Set(keys).size, 1);
  assert.equal(keys[0], readFileSync(file()).toString("hex"));
});

test("SEC-1 the file is never open to others, not even while it is made (T118)", () => {
  // Whatever a process creates under umask 0 shows the mode it asked for; the trace says so for each file.
  const trace = join(dataDir, "trace");
  const program = `const fs = require("node:fs"); const { openSync } = fs;
    fs.openSync = (path, flags, mode) => { const fd = openSync(path, flags, mode);
      if (flags === "wx") fs.appendFileSync(${JSON.stringify(trace)}, (fs.fstatSync(fd).mode & 0o777).toString(8)); return fd; };
    require("node:module").syncBuiltinESMExports(); process.umask(0); ${makeKey()}`;
  execFileSync(process.execPath, ["-e", program, dataDir]);
  assert.equal(readFileSync(trace, "utf8"), "600");
});

test("SEC-1 a damaged site key is never replaced", () => {
  getSiteKey(dataDir);
  writeFileSync(file(), "half");
  assert.equal(findSiteKey(dataDir), undefined);
  assert.throws(() => getSiteKey(dataDir), { status: 503 });
  assert.equal(readFileSync(file(), "utf8"), "half");
});

test("SEC-2 a secret is decrypted only with its key and purpose, and never looks the same twice", () => {
  const key = getSiteKey(dataDir);
  for (const text of ["", "a", "pässwörd €", "x".repeat(10_000)]) {
    const closed = encryptSecret(key, text, "a");
    assert.match(closed, /^enc:v1:[\w-]+$/);
    assert.notEqual(closed, encryptSecret(key, text, "a"));
    assert.equal(decryptSecret(key, closed, "a"), text);
    assert.equal(decryptSecret(key, closed, "b"), undefined);
    assert.equal(decryptSecret(Buffer.alloc(32), closed, "a"), undefined);
  }
});

test("SEC-2 a changed or cut secret is not decrypted", () => {
  const key = getSiteKey(dataDir);
  const closed = encryptSecret(key, "secret", "a");
  const changed = [...closed].map(
    (character, at) => closed.slice(0, at) + (character === "A" ? "B" : "A") + closed.slice(at + 1),
  );
  // The last character holds bits that no byte needs; all others count.
  for (const other of [...changed.slice(0, -1), closed.slice(0, -2), "", "enc:v1:", "enc:v2:AAAA"])
    assert.equal(decryptSecret(key, other, "a"), undefined, other);
});
