// Settings as a form holds them: numbers and objects as they are typed, and back. Dots of keys would be paths in the form.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import type { SettingState } from "@contract/settings.ts";
import type { SettingTexts } from "#words/en/setting-texts.ts";

/** In kept changes it stands for the collection. */
export const keptSettings = "-settings";

/** With label and meaning in the language of the page, where it has them. */
export function inWords(setting: SettingState, texts: SettingTexts): SettingState {
  const [label, about] = texts[setting.key] ?? [setting.label, setting.about];
  return { ...setting, label, about };
}

export function pathOf(key: string): string {
  return key.replaceAll(".", "/");
}

export function typedOf({ type, value, isSecret }: SettingState): Json {
  if (isSecret) return "";
  if (type === "integer" || type === "number") return String(value);
  if (type === "object") return JSON.stringify(value, null, 2);
  return value;
}

export function formOf(settings: readonly SettingState[]): JsonObject {
  return Object.fromEntries(settings.map((setting) => [pathOf(setting.key), typedOf(setting)]));
}

export type ValueProblem = "notANumber" | "notWhole" | "notAnObject" | "tooSmall" | "tooLarge";

/** What is sent, or what is wrong with what was typed. */
export function readTyped(setting: SettingState, typed: Json): { value: Json } | { problem: ValueProblem } {
  const { type } = setting;
  if (type === "integer" || type === "number") return readNumber(setting, String(typed ?? "").trim());
  if (type !== "object") return { value: typed };
  try {
    const value = JSON.parse(String(typed)) as Json;
    return isJsonObject(value) ? { value } : { problem: "notAnObject" };
  } catch {
    return { problem: "notAnObject" };
  }
}

function readNumber({ type, min, max }: SettingState, text: string): { value: Json } | { problem: ValueProblem } {
  const value = text === "" ? Number.NaN : Number(text.replace(",", "."));
  if (Number.isNaN(value)) return { problem: "notANumber" };
  if (type === "integer" && !Number.isInteger(value)) return { problem: "notWhole" };
  if (min !== undefined && value < min) return { problem: "tooSmall" };
  return max !== undefined && value > max ? { problem: "tooLarge" } : { value };
}

/** Settings whose key, label or description has all the words. */
export function findSettings(settings: readonly SettingState[], text: string): SettingState[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter(({ key, label, about }) => {
    const all = `${key} ${label} ${about}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
