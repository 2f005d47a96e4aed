// What an installation brings along.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../harness.ts";

const read = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));

interface Locked {
  hasInstallScript?: boolean;
  integrity?: string;
  link?: boolean;
  resolved?: string;
  version?: string;
  inBundle?: boolean;
}

const locked: [string, Locked][] = Object.entries(read("package-lock.json").packages);
const packages = locked.filter(([path, { link }]) => path.includes("node_modules/") && !link);

test("SEC-6 no package runs a script of its own when it is installed (T74)", () => {
  const denied = read("package.json").allowScripts ?? {};
  for (const [path, { hasInstallScript }] of packages) {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (hasInstallScript) assert.equal(denied[name], false, `${name} has an install script that nobody has reviewed`);
  }
});

test("SEC-6 every package is pinned: by version, and by the hash of its content (T74)", () => {
  const { dependencies, devDependencies } = read("package.json");
  for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies }))
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
  for (const [path, { version, integrity, inBundle, resolved = "" }] of packages) {
    assert.ok(version, path);
    assert.ok(inBundle || /^sha512-/.test(integrity ?? ""), path);
    assert.ok(!/^(git|http:|file:)/.test(resolved), path);
  }
});

test("SEC-6 no package that runs with the service has a known grave weakness (T74)", (context) => {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
    cwd: root,
    encoding: "utf8",
    timeout: 30_000,
  });
  const found = parse(stdout)?.metadata?.vulnerabilities;
  // Not every registry answers; the lock file is checked above in any case.
  if (!found) return context.diagnostic("the registry answers no audit");
  assert.deepEqual({ high: found.high, critical: found.critical }, { high: 0, critical: 0 });
});

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
