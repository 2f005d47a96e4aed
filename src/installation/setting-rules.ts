// Rules for settings beyond their types, from the rooms that use them. Applied to every source: saved, or read at start.

import { reservedProperties } from "#access/accounts.ts";
import { findBadDirectives } from "#base/content-policy.ts";
import type { SettingRules } from "#config/config.ts";
import { adminGroup } from "#contract/access-groups.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { findBadParameters } from "#media/images/image-parameters.ts";

/** Besides the reserved ones: chosen by the service, or a file. */
const neverSent = new Set(["id", "image"]);

export const settingRules: SettingRules = {
  "auth.registrationGroups": findBadGroups,
  "auth.registrationProperties": findBadProperties,
  "imageworks.defaults": findBadParameters,
  "imageworks.presets": findBadPresets,
  "site.csp": findBadDirectives,
};

/** Whether a group exists is asked when the setting is saved. */
function findBadGroups(groups: readonly string[]): Record<string, string[]> {
  if (groups.length === 0) return { "": ['must name at least one group, such as "member"'] };
  return groups.includes(adminGroup) ? { "": [`must not name "${adminGroup}"`] } : {};
}

function findBadProperties(names: readonly string[]): Record<string, string[]> {
  const bad = names.filter((name) => reservedProperties.has(name) || neverSent.has(name));
  return bad.length === 0 ? {} : { "": [`must not name ${bad.join(", ")}`] };
}

function findBadPresets(presets: JsonObject): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  for (const [name, preset] of Object.entries(presets)) {
    if (!isJsonObject(preset)) problems[name] = ["must be an object of image parameters"];
    else for (const [key, said] of Object.entries(findBadParameters(preset))) problems[`${name}.${key}`] = said;
  }
  return problems;
}
