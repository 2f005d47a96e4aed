// Whether the admin web app is built, and newer than what it is built of. Looks at times alone.

import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

export const installationRoot = resolve(import.meta.dirname, "..", "..");
export const adminDist = join(installationRoot, "admin", "dist");
/** Its time is that of the beginning of the build. */
export const builtMark = join(adminDist, "built");

const files = ["admin/index.html", "admin/package.json", "admin/vite.config.ts", "package-lock.json"];
const folders = ["admin/src", "src/contract", "src/rules"];

export async function isAdminFresh(): Promise<boolean> {
  const built = await timeOf(builtMark);
  if (built === 0) return false;
  const times = await Promise.all([...files.map(at).map(timeOf), ...folders.map(at).map(newestIn)]);
  return times.every((time) => time <= built);
}

function at(path: string): string {
  return join(installationRoot, path);
}

/** Folders count too: a file that was removed changes its folder alone. */
async function newestIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return Math.max(...(await Promise.all(["", ...names].map((name) => timeOf(join(folder, name))))));
}

/** 0: there is no such file. */
function timeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
