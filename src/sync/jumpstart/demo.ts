// The definition that ships with the service: a small site to look around in.

import { readFileSync } from "node:fs";
import { allow } from "#access/allow.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";

export function exportDemo(ctx: Context): string {
  allow(ctx, "read", { kind: "util", util: "jumpstart" });
  return readDemo();
}

export function demoDefinition(): JsonObject {
  return JSON.parse(readDemo()) as JsonObject;
}

function readDemo(): string {
  return readFileSync(new URL("./demo.json", import.meta.url), "utf8");
}
