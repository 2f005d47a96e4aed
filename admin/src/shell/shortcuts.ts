// Keys that do something on the whole page. Single keys work outside of inputs only and can be switched off; those with Ctrl
// or Cmd work everywhere. All that are registered are shown by `?`.

import { useEffect, useRef, useSyncExternalStore } from "react";
import { type Press, readPress, type ShortcutKeys } from "./keys.ts";

export interface Shortcut {
  /** "mod+k", "g h" (one after the other), "?", "/", "F6". */
  keys: ShortcutKeys;
  /** What it does, for the list; empty leaves it out. */
  label: string;
  run: () => void;
}

let shortcuts: readonly Shortcut[] = [];
const listeners = new Set<() => void>();
let areSingleKeysOn = true;

function change(next: readonly Shortcut[]): void {
  shortcuts = next;
  for (const listener of listeners) listener();
}

/** Single-key shortcuts, by the user's preference. */
export function setSingleKeys(isOn: boolean): void {
  areSingleKeysOn = isOn;
}

/** Works while the calling component is shown and `when` is not false; the one registered last wins. */
export function useShortcut(keys: ShortcutKeys, label: string, run: () => void, { when = true } = {}): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!when) return undefined;
    const shortcut: Shortcut = { keys, label, run: () => latest.current() };
    change([...shortcuts, shortcut]);
    return () => change(shortcuts.filter((other) => other !== shortcut));
  }, [keys, label, when]);
}

export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shortcuts,
  );
}

/** Listens for as long as the shell is there; returns what ends it. */
export function listenToKeys(): () => void {
  let before: Press | undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    const press = readPress(event, before);
    before = press?.isStart ? press : undefined;
    if (!press || event.defaultPrevented) return;
    if (press.isSingle && (!areSingleKeysOn || isTyping(event.target) || isInDialog(event.target))) return;
    const found = shortcuts.findLast(({ keys }) => keys === press.keys);
    if (!found) return;
    event.preventDefault();
    before = undefined;
    found.run();
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}

/** Whether a key belongs to what has the focus: text, lists, menus. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return target.closest("textarea, select, [role=textbox], [role=listbox], [role=menu], [role=spinbutton]") !== null;
}

/** Letters do nothing to the page that lies behind a dialog. */
function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog], [role=alertdialog]") !== null;
}
