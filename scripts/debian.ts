// Debian packages that tests and benchmarks need: installed when they are missing and this is root, named otherwise.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";

const lock = "/var/lock/cairn-tests-apt";
/** Set for the processes that this one starts, too. */
const isUpdated = "CAIRN_TEST_APT_UPDATED";

/** Installs the package of that name unless the command is there. */
export function ensureCommand(name: string, packageName = name): void {
  if (spawnSync(name, ["--version"], { stdio: "ignore" }).error) installPackage(packageName);
}

/** Letters for the tests that draw some: a bare machine has none. */
export function ensureFonts(): void {
  if (!existsSync("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf")) installPackage("fonts-dejavu-core");
}

/** The browser of the admin's tests: without windows it needs half the processor time. */
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

export function ensureChromium(): void {
  if (!browsers.some((path) => existsSync(path))) installPackage("chromium-headless-shell");
}

export function browserPath(): string {
  return browsers.find((path) => existsSync(path)) ?? "/usr/bin/chromium";
}

/** While it is there, no installed package starts its service, which would take a port. */
const servicePolicy = "/usr/sbin/policy-rc.d";

/** One at a time: test files that run side by side may each need one. The list of packages is fetched once in a run. */
export function installPackage(name: string): void {
  if (process.getuid?.() !== 0) throw new Error(`The tests need the package ${name}: install it.`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]) =>
    execFileSync("flock", [lock, "apt-get", "-qq", ...args], { env, stdio: ["ignore", "inherit", "inherit"] });
  if (!process.env[isUpdated]) apt("update");
  process.env[isUpdated] = "1";
  const hasPolicy = existsSync(servicePolicy);
  if (!hasPolicy) writeFileSync(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    apt("install", "-y", "--no-install-recommends", name);
  } finally {
    if (!hasPolicy) rmSync(servicePolicy, { force: true });
  }
}
