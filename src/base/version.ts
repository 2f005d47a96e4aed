// The version of the package that runs.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const manifest = resolve(import.meta.dirname, "..", "..", "package.json");

export const version: string = (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
