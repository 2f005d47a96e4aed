// Rules for settings beyond their types, from the rooms that use them. Applied to every source: saved, or read at start.

import { findBadDirectives } from "#base/content-policy.ts";
import type { SettingRules } from "#config/config.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { findBadParameters } from "#media/images/image-parameters.ts";

export const settingRules: SettingRules = {
  "imageworks.defaults": findBadParameters,
  "imageworks.presets": findBadPresets,
  "site.csp": findBadDirectives,
};

function findBadPresets(presets: JsonObject): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  for (const [name, preset] of Object.entries(presets)) {
    if (!isJsonObject(preset)) problems[name] = ["must be an object of image parameters"];
    else for (const [key, said] of Object.entries(findBadParameters(preset))) problems[`${name}.${key}`] = said;
  }
  return problems;
}
