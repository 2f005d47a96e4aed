// The Debian packages that tests need: installed by root, and otherwise named together with the tests that are left out without them.
// With CI=true a missing package ends the run, so that nothing is left out unseen.

import { ensureChromium, ensureCommand, ensureFonts } from "./debian.ts";
import { ensureBinaries } from "./postgres.ts";
import { type Part, usesBrowser } from "./test-parts.ts";

export interface Package {
  name: string;
  /** Throws where it is missing and cannot be installed. */
  ensure(): void;
  isNeededBy(part: Part, file: string): boolean;
}

const forFiles = (name: string, command: string, ...files: string[]): Package => ({
  name,
  ensure: () => ensureCommand(command, name),
  isNeededBy: (_, file) => files.includes(file),
});

const fronts = "tests/http/site/fronts.sqlite.test.ts";

const packages: readonly Package[] = [
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
  forFiles("nginx-light", "nginx", fronts, "tests/http/site/nginx.sqlite.test.ts"),
  forFiles("apache2-bin", "apache2", fronts),
  forFiles("caddy", "caddy", fronts),
  forFiles("pgbouncer", "pgbouncer", "tests/faults/pool.postgres.test.ts"),
  forFiles("strace", "strace", "tests/faults/sync-calls.sqlite.test.ts", "tests/faults/oauth-keys.sqlite.test.ts"),
  forFiles("systemd", "systemd-analyze", "tests/cli/readme.sqlite.test.ts"),
];

export interface Missing {
  name: string;
  /** So many files are left out without it. */
  left: number;
}

/** The parts without the files whose packages are missing, and those packages. */
export function withPackages(
  chosen: readonly Part[],
  { isStrict, known = packages }: { isStrict: boolean; known?: readonly Package[] },
): { parts: Part[]; missing: Missing[] } {
  const missing: Missing[] = [];
  let parts = [...chosen];
  for (const { name, ensure, isNeededBy } of known) {
    const left = parts.reduce((sum, part) => sum + part.files.filter((file) => isNeededBy(part, file)).length, 0);
    if (left === 0) continue;
    try {
      ensure();
    } catch (error) {
      if (isStrict) throw error;
      missing.push({ name, left });
      parts = parts.flatMap((part) => {
        const files = part.files.filter((file) => !isNeededBy(part, file));
        return files.length === 0 ? [] : [files.length < part.files.length ? { ...part, files, atLeast: 0 } : part];
      });
    }
  }
  return { parts, missing };
}
