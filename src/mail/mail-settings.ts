// The present settings for sending mail.

import type { Settings } from "#config/config.ts";
import type { MailSettings } from "./smtp.ts";

export function mailSettings(settings: Settings): MailSettings {
  return {
    host: settings.get("smtp.host"),
    port: settings.get("smtp.port"),
    secure: settings.get("smtp.secure"),
    user: settings.get("smtp.user"),
    password: settings.get("smtp.password"),
    from: settings.get("smtp.from"),
    fromName: settings.get("smtp.fromName"),
  };
}
