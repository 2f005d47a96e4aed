// Every setting with its value, where that comes from, and whether it waits for a restart. Secrets are never in the answer.

import { allow } from "#access/allow.ts";
import { isPowerSetting } from "#config/power-settings.ts";
import { type Setting, type SettingKey, settingsTable } from "#config/settings-table.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { SettingState } from "#contract/settings.ts";
import { generalSection } from "./settings.ts";

/** In the order of the table. */
export async function listSettings(ctx: Context): Promise<SettingState[]> {
  allow(ctx, "read", { kind: "settings" });
  return (Object.keys(settingsTable) as SettingKey[]).map((key) => stateOf(ctx, key));
}

function stateOf({ settings }: Context, key: SettingKey): SettingState {
  const { type, about, oneOf, min, max, atStart, secret, default: standard } = settingsTable[key] as Setting<Json>;
  const value = settings.get(key) as Json;
  const isSecret = secret === true;
  return {
    key,
    section: sectionOf(key),
    type,
    ...(oneOf && { choices: oneOf }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    label: labelOf(key),
    about,
    default: isSecret ? null : standard,
    value: isSecret ? null : value,
    source: settings.sourceOf(key),
    readAtStart: atStart === true,
    waits: settings.waits(key),
    isSecret,
    isPower: isPowerSetting(key),
    isSet: isSecret && value !== "",
  };
}

function sectionOf(key: string): string {
  return key.includes(".") ? key.slice(0, key.indexOf(".")) : generalSection;
}

/** "allowPrivateHosts" as words, without the section. */
function labelOf(key: string): string {
  const words = key
    .slice(key.includes(".") ? key.indexOf(".") + 1 : 0)
    .replaceAll(".", " ")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/\b(url|mcp|api|smtp|html|cors|csp|ttl|id|s3|ip)\b/g, (name) => name.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
