// The user's own preferences: on the server, and of the look a copy on this device, which the early script reads before the
// first paint.

import type { Preferences } from "@contract/admin.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { setLanguage } from "#words/language.ts";
import { queryClient } from "./query-client.ts";
import { sharedValue } from "./shared-value.ts";

/** The name that early.js knows. */
const lookKey = "cairn:look";
/** Changes that follow each other are stored together. */
const saveDelay = 500;

/** Chosen, and not on its way to the server yet. */
let waiting: Partial<Preferences> = {};
/** On its way. */
let sending: Partial<Preferences> = {};
/** Both. Controls show it in the same moment; the memory of queries tells them a turn later. */
const chosen = sharedValue<Partial<Preferences>>({});

export const preferencesQuery = queryOptions({
  queryKey: ["preferences"],
  queryFn: async ({ signal }) => {
    const kept = await askData<Preferences>(routes.preferences, { signal });
    // What was chosen while the answer was on its way is newer than the answer.
    return { ...kept, ...sending, ...waiting };
  },
  staleTime: Number.POSITIVE_INFINITY,
});

const none: Preferences = {};

/** Empty until they are there. */
export function usePreferences(): Preferences {
  const known = useQuery(preferencesQuery).data ?? none;
  const own = chosen.use();
  return useMemo(() => ({ ...known, ...own }), [known, own]);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Takes effect at once; the server hears of it half a second later. */
export function savePreferences(patch: Partial<Preferences>): void {
  waiting = { ...waiting, ...patch };
  chosen.set({ ...chosen.get(), ...patch });
  queryClient.setQueryData(preferencesQuery.queryKey, (known) => ({ ...known, ...patch }) as Preferences);
  applyPreferences(patch);
  clearTimeout(timer);
  timer = setTimeout(() => void store(), saveDelay);
}

/** The rest is asked for first: another tab may have changed something else. */
async function store(): Promise<void> {
  sending = { ...sending, ...waiting };
  waiting = {};
  try {
    const kept = await askData<Preferences>(routes.preferences);
    await askData(routes.savePreferences, { body: { ...kept, ...sending } });
    sending = {};
    if (Object.keys(waiting).length === 0) chosen.set({});
  } catch {
    // They hold on this device; the next change sends them again.
    waiting = { ...sending, ...waiting };
  }
}

/** What was chosen a moment before the page is left is sent at once. */
function storeNow(): void {
  if (Object.keys(waiting).length === 0) return;
  clearTimeout(timer);
  const kept = queryClient.getQueryData(preferencesQuery.queryKey);
  const body = { ...kept, ...sending, ...waiting };
  waiting = {};
  void askData(routes.savePreferences, { body, takes401: true, isLast: true }).catch(() => undefined);
}

globalThis.addEventListener?.("pagehide", storeNow);

export function applyPreferences({ theme, density, language }: Partial<Preferences>): void {
  if (theme !== undefined || density !== undefined || language !== undefined) applyLook({ theme, density, language });
  if (language !== undefined) void setLanguage(language === "" ? undefined : language);
}

interface Look {
  theme?: Preferences["theme"];
  density?: Preferences["density"];
  /** Of the sentences: the page begins in it. */
  language?: Preferences["language"];
}

export function keptLook(): Look {
  try {
    return JSON.parse(localStorage.getItem(lookKey) ?? "{}") as Look;
  } catch {
    return {};
  }
}

function applyLook(patch: Look): void {
  const look = { ...keptLook(), ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value)) } as Look;
  try {
    localStorage.setItem(lookKey, JSON.stringify(look));
  } catch {
    // A full or closed storage costs only the memory of the look.
  }
  showLook(look);
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function showLook({ theme, density }: Look): void {
  const isDark = theme === "dark" || (theme !== "light" && darkSystem.matches);
  const root = document.documentElement;
  root.dataset.theme = isDark ? "dark" : "light";
  root.dataset.density = density === "compact" ? "compact" : "comfortable";
}

darkSystem.addEventListener("change", () => showLook(keptLook()));
// Another tab has changed it.
addEventListener("storage", ({ key }) => {
  if (key === lookKey) showLook(keptLook());
});
