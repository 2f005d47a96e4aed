// Input of a command: JSON from a file, from standard input or from an option; comma lists; `name=value` pairs.

import { readFile } from "node:fs/promises";
import { CairnError, fail } from "#base/errors.ts";
import { parseJson, parseLargeJson } from "#base/json.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { Host } from "./call.ts";
import { readAll } from "./prompts.ts";
import { UsageError } from "./usage.ts";

export interface JsonSource {
  /** A path, or `-` for standard input. */
  file?: string | undefined;
  dataJson?: string | undefined;
  /** The option that gave dataJson, if not `--data-json`. */
  option?: string;
}

export async function readJsonObject(host: Host, source: JsonSource): Promise<JsonObject> {
  const name = nameOf(source);
  const bytes = await readBytes(host, source);
  try {
    const value = parseAs(name, bytes);
    if (!isJsonObject(value)) fail("malformed-json", `${name} is a list or a single value; a JSON object is needed.`);
    return value;
  } catch (error) {
    // An unreadable option is wrong usage; an unreadable file is a failure.
    throw source.dataJson !== undefined && error instanceof CairnError ? new UsageError(error.message) : error;
  }
}

function nameOf({ file, dataJson, option = "--data-json" }: JsonSource): string {
  if (dataJson !== undefined) return `The text of ${option}`;
  return file === undefined || file === "-" ? "Standard input" : file;
}

/** Errors of the JSON reader speak of a body, as over HTTP. */
function parseAs(name: string, bytes: Uint8Array): Json {
  try {
    return parseLargeJson(bytes);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    throw new CairnError(
      error.word,
      error.message.replace(/^The body/, () => name),
    );
  }
}

async function readBytes(host: Host, { file, dataJson }: JsonSource): Promise<Uint8Array> {
  if (dataJson !== undefined && file !== undefined) throw new UsageError("Give a file or --data-json, not both.");
  if (dataJson !== undefined) return Buffer.from(dataJson);
  if (file === "-" || (file === undefined && !host.stdin.isTTY)) return readAll(host.stdin);
  if (file === undefined) throw new UsageError("Give a file, - for standard input, or --data-json.");
  return readFile(file);
}

/** JSON when it is JSON, otherwise the text itself: `true`, `5`, `[1]`, `plain words`. */
export function parseValue(text: string): Json {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    return text;
  }
}

export function parseList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

export function splitPair(text: string, option: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`${option} must be name=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}
