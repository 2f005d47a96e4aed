// A setting that is typed as JSON. Pure.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";

export interface ReadSetting {
  /** Undefined: there is none. */
  value?: JsonObject | undefined;
  problem?: string;
}

interface Words {
  notJson: (reason: string) => string;
  notObject: string;
}

export function readSetting(text: string, words: Words): ReadSetting {
  if (text.trim() === "") return { value: undefined };
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? { value } : { problem: words.notObject };
  } catch (error) {
    return { problem: words.notJson(error instanceof Error ? error.message : String(error)) };
  }
}
