// What tests need of the machine: Debian packages, which root installs, and root itself. Tests whose needs are not met are left out and
// named. With CI=true a run ends there instead, so that nothing is left out unseen.

import { ensureChromium, ensureCommand, ensureFonts } from "./debian.ts";
import { ensureBinaries } from "./postgres.ts";
import { type Part, pick, usesBrowser } from "./test-parts.ts";

export interface Need {
  /** Of a package, or "root". */
  name: string;
  /** Throws where it is missing and cannot be installed. */
  ensure(): void;
  isNeededBy(part: Part, file: string): boolean;
}

const packageFor = (name: string, command: string, ...files: string[]): Need => ({
  name,
  ensure: () => ensureCommand(command, name),
  isNeededBy: (_, file) => files.includes(file),
});

const mounts = new Set(["tests/faults/disk-full.sqlite.test.ts", "tests/faults/oauth-log.sqlite.test.ts"]);
const fronts = "tests/http/site/fronts.sqlite.test.ts";

const needs: readonly Need[] = [
  {
    name: "postgresql",
    ensure: ensureBinaries,
    isNeededBy: ({ engine }, file) => engine === "postgres" || file.endsWith(".postgres.test.ts"),
  },
  { name: "chromium-headless-shell", ensure: ensureChromium, isNeededBy: usesBrowser },
  {
    name: "fonts-dejavu-core",
    ensure: ensureFonts,
    isNeededBy: (part, file) => usesBrowser(part) || file === "src/files/images/make.test.ts",
  },
  packageFor("nginx-light", "nginx", fronts, "tests/http/site/nginx.sqlite.test.ts"),
  packageFor("apache2-bin", "apache2", fronts),
  packageFor("caddy", "caddy", fronts),
  packageFor("pgbouncer", "pgbouncer", "tests/faults/pool.postgres.test.ts"),
  packageFor("strace", "strace", "tests/faults/sync-calls.sqlite.test.ts", "tests/faults/oauth-keys.sqlite.test.ts"),
  packageFor("systemd", "systemd-analyze", "tests/cli/readme.sqlite.test.ts"),
  { name: "root", ensure: ensureRoot, isNeededBy: (_, file) => mounts.has(file) },
];

function ensureRoot(): void {
  if (process.getuid?.() !== 0) throw new Error("Tests that mount a small disk need root.");
}

export interface Missing {
  name: string;
  /** The files that need it. */
  leftOut: Part[];
}

/** The parts without the files whose needs are not met, and those needs. */
export function withNeeds(
  chosen: readonly Part[],
  { isStrict, known = needs }: { isStrict: boolean; known?: readonly Need[] },
): { parts: Part[]; missing: Missing[] } {
  const missing: Missing[] = [];
  let parts = [...chosen];
  for (const { name, ensure, isNeededBy } of known) {
    const leftOut = pick(parts, isNeededBy);
    if (leftOut.length === 0) continue;
    try {
      ensure();
    } catch (error) {
      if (isStrict) throw error;
      missing.push({ name, leftOut });
      parts = pick(parts, (part, file) => !isNeededBy(part, file));
    }
  }
  return { parts, missing };
}
