// What an administrator can find in the palette beside pages: automations to run, and settings by name. The server is asked once
// somebody types.

import type { AutomationState } from "@contract/jobs.ts";
import type { SettingState } from "@contract/settings.ts";
import { useQuery } from "@tanstack/react-query";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useStart } from "#session/start.ts";
import { pathOf } from "#shell/navigation.ts";
import { writeSearch } from "#shell/paths.ts";
import { useWords } from "#words/language.ts";
import { paletteWords } from "#words/palette.ts";
import { settingTextWords } from "#words/setting-texts.ts";
import type { Choice } from "./choices.ts";

/** For as long it is not asked for again, in milliseconds. */
const fresh = 60_000;

export function useSiteChoices(isTyping: boolean): { automations: Choice[]; settings: Choice[] } {
  const words = useWords(paletteWords);
  const texts = useWords(settingTextWords);
  const { can, site } = useStart();
  const enabled = can.admin && isTyping;
  // The keys are those of the pages: what one has, the other need not ask for.
  const automations = useQuery({
    queryKey: ["objects", "automations", "states"],
    queryFn: ({ signal }) => askData<AutomationState[]>(routes.automations, { signal }),
    enabled: enabled && site.edition === "pro",
    staleTime: fresh,
  });
  const settings = useQuery({
    queryKey: ["site-settings"],
    queryFn: ({ signal }) => askData<SettingState[]>(routes.settings, { signal }),
    enabled,
    staleTime: fresh,
  });
  return {
    automations: (automations.data ?? []).map(({ id, name }) => ({
      id: `run ${id}`,
      label: words.runAutomation(name),
      path: pathOf({ to: "/admin/automations/$id", params: { id } }) + writeSearch({ open: "run" }),
    })),
    settings: (settings.data ?? []).map(({ key, section, label }) => ({
      id: `setting ${key}`,
      label: texts[key]?.[0] ?? label,
      detail: key,
      path: pathOf({ to: "/admin/settings/$section", params: { section } }) + writeSearch({ setting: key }),
    })),
  };
}
