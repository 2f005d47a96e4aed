// What an installation brings along.

import assert from "node:assert/strict";
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
  for (const folder of [".", "tools/node"])
    assert.match(readFileSync(join(root, folder, ".npmrc"), "utf8"), /^ignore-scripts=true$/m, folder);
  const ofInstall = ["preinstall", "install", "postinstall", "prepare", "prestart", "poststart", "pretest", "posttest"];
  // They would not run, and nothing may rely on them.
  assert.deepEqual(
    ofInstall.filter((name) => read("package.json").scripts[name] !== undefined),
    [],
  );
  const denied = read("package.json").allowScripts ?? {};
  for (const [path, { hasInstallScript }] of packages) {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (hasInstallScript) assert.equal(denied[name], false, `${name} has an install script that nobody has reviewed`);
  }
});

test("SEC-6 every package is pinned: by version, and by the hash of its content (T74)", () => {
  const { dependencies, devDependencies } = read("package.json");
  for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies }))
    assert.match(version, /^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  for (const [path, { version, integrity, inBundle, resolved = "" }] of packages) {
    assert.ok(version, path);
    assert.ok(inBundle || /^sha512-/.test(integrity ?? ""), path);
    assert.ok(!/^(git|http:|file:)/.test(resolved), path);
  }
});
