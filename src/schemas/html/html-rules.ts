// The present settings for HTML.

import type { App } from "#context.ts";
import type { HtmlRules } from "./html.ts";

export function htmlclean({ settings }: Pick<App, "settings">): HtmlRules {
  return {
    enabled: settings.get("htmlclean.enabled"),
    allowedIframeDomains: settings.get("htmlclean.allowedIframeDomains"),
    allowedCssProperties: settings.get("htmlclean.allowedCssProperties"),
    allowedTags: settings.get("htmlclean.allowedTags"),
  };
}
