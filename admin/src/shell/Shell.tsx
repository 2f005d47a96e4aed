// The frame around every page but the sign-in: sidebar, bars, the page itself, and what lies over all of them.

import { Outlet, useNavigate } from "@tanstack/react-router";
import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { useIsOnline } from "#session/online.ts";
import { applyPreferences, usePreferences } from "#session/preferences.ts";
import { watchSessionEnd } from "#session/session-end.ts";
import { useCan, useStart } from "#session/start.ts";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { Toasts } from "#ui/Toasts.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { ActingBar } from "./ActingBar.tsx";
import { ConfirmPower } from "./ConfirmPower.tsx";
import { linkProps } from "./links.tsx";
import { loadedLater } from "./loaded-later.tsx";
import { type Entry, entriesFor } from "./navigation.ts";
import { areShortcutsShown, isPaletteOpen } from "./overlays.ts";
import { focusNextRegion } from "./regions.ts";
import styles from "./Shell.module.css";
import { SignInAgain } from "./SignInAgain.tsx";
import { listenToKeys, setSingleKeys, useShortcut } from "./shortcuts.ts";
import { Sidebar } from "./sidebar/Sidebar.tsx";

const Palette = loadedLater(() => import("./palette/Palette.tsx").then((module) => module.Palette));
const ShortcutList = loadedLater(() => import("./ShortcutList.tsx").then((module) => module.ShortcutList));

export function Shell() {
  const words = useWords(shellWords);
  const { impersonator } = useStart();
  useEffect(listenToKeys, []);
  useEffect(watchSessionEnd, []);
  useEffect(loadPaletteEarly, []);
  useOwnLook();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        {words.skip}
      </a>
      <Sidebar />
      <div className={styles.content}>
        {impersonator && <ActingBar />}
        <OfflineBar />
        <Outlet />
      </div>
      <Keys />
      <Overlays />
      <ConfirmPower />
      <SignInAgain />
      <Toasts label={words.notifications} />
    </div>
  );
}

/** It opens at once then, and no page waits for it. */
function loadPaletteEarly(): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(Palette.load);
  else setTimeout(Palette.load, 1_000);
}

/** Preferences come after the first paint, which used the copy on this device. */
function useOwnLook(): void {
  const preferences = usePreferences();
  useEffect(() => {
    applyPreferences(preferences);
    setSingleKeys(preferences.shortcuts !== false);
  }, [preferences]);
}

function OfflineBar() {
  const words = useWords(shellWords);
  const isOnline = useIsOnline();
  return (
    <div role="status">
      {!isOnline && (
        <p className={classes(styles.notice)}>
          <Icon of={WifiOff} />
          {words.offline}
        </p>
      )}
    </div>
  );
}

function Keys() {
  const words = useWords(shellWords);
  const start = useStart();
  useShortcut("Ctrl+K", words.openPalette, () => isPaletteOpen.set(!isPaletteOpen.get()));
  useShortcut("?", words.keyboardShortcuts, () => areShortcutsShown.set(true));
  useShortcut("F6", words.nextRegion, focusNextRegion);
  useShortcut("/", words.searchPage, searchPage);
  return entriesFor(useCan(), start).map((entry) => entry.key && <GoKey key={entry.id} entry={entry} />);
}

function GoKey({ entry }: { entry: Entry }) {
  const words = { ...useWords(commonWords), ...useWords(shellWords) };
  const navigate = useNavigate();
  useShortcut(`g ${entry.key}`, words.goTo(entry.label(words)), () => void navigate(linkProps(entry)));
  return null;
}

/** The search of the page, and where it has none that of the whole site. */
function searchPage(): void {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  if (field) field.focus();
  else isPaletteOpen.set(true);
}

function Overlays() {
  return (
    <>
      {isPaletteOpen.use() && <Palette onClose={() => isPaletteOpen.set(false)} />}
      {areShortcutsShown.use() && <ShortcutList onClose={() => areShortcutsShown.set(false)} />}
    </>
  );
}
