// settings:get, settings:set.

import { fail } from "#base/errors.ts";
import type { Call } from "#cli/call.ts";
import { parseValue } from "#cli/input.ts";
import { clean } from "#cli/output.ts";
import {
  checkSetting,
  isSecretSetting,
  isSettingKey,
  parseSetting,
  SettingsError,
  secretMask,
} from "#config/config.ts";
import type { Json } from "#contract/json.ts";
import { describeNewUsers } from "#installation/registration.ts";
import * as settings from "#installation/settings.ts";

export async function getSetting(call: Call, _options: unknown, key?: string): Promise<void> {
  const value = (await call.savedSettings()).show(key);
  if (value === undefined) fail("not-found", `There is no setting ${key}.`);
  if (!call.isJson && typeof value === "string") await call.out.line(clean(value));
  else await call.out.json(value);
}

export async function setSetting(call: Call, options: { yes?: boolean }, key: string, text: string): Promise<void> {
  const value = readValue(key, text);
  const isOfRegistration = key === "auth.publicRegistration" || key === "auth.registrationGroups";
  const newUsers = await call.work(async (ctx) => {
    await settings.setSetting(ctx, key, value, { isConfirmed: options.yes === true });
    return isOfRegistration ? describeNewUsers(ctx) : undefined;
  });
  const shown = isSettingKey(key) && isSecretSetting(key) && value !== null && value !== "" ? secretMask : value;
  if (call.isJson) await call.out.json({ key, value: shown });
  else if (value === null) await call.out.line(clean(`${key} has no saved value any more.`));
  else await call.out.line(clean(`${key} is ${JSON.stringify(shown)} now.`));
  if (newUsers !== undefined && !call.isJson) await call.out.line(clean(newUsers));
}

/** JSON where that fits the setting; otherwise text: `12345` may be text, `a,b` a list. */
function readValue(key: string, text: string): Json {
  const value = parseValue(text);
  if (!isSettingKey(key) || value === null) return value;
  try {
    return checkSetting(key, value, key);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return parseSetting(key, text, JSON.stringify(text));
  }
}
