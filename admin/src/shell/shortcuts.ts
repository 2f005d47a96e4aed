// Keys that do something on the whole page. Single keys work outside of inputs only and can be switched off; those with Ctrl
// or Cmd work everywhere. All that are registered are shown by `?`.

import { useEffect, useRef } from "react";
import { sharedValue } from "#session/shared-value.ts";
import { normalKeys, type Press, readPress } from "./keys.ts";

export interface Shortcut {
  /** As shown: "Ctrl+K", "g h" (one after the other), "?", "F6". */
  keys: string;
  /** What it does, for the list; empty leaves it out. */
  label: string;
  run: () => void;
}

export const shortcuts = sharedValue<readonly Shortcut[]>([]);
let areSingleKeysOn = true;

/** Single-key shortcuts, by the user's preference. */
export function setSingleKeys(isOn: boolean): void {
  areSingleKeysOn = isOn;
}

/** Works while the calling component is shown and `when` is not false; the one registered last wins. */
export function useShortcut(keys: string, label: string, run: () => void, { when = true } = {}): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!when) return undefined;
    const shortcut: Shortcut = { keys, label, run: () => latest.current() };
    shortcuts.set([...shortcuts.get(), shortcut]);
    return () => shortcuts.set(shortcuts.get().filter((other) => other !== shortcut));
  }, [keys, label, when]);
}

/** Listens for as long as the shell is there; returns what ends it. */
export function listenToKeys(): () => void {
  let before: Press | undefined;
  // Before the widgets: most of them let no key pass on.
  const onCommand = (event: KeyboardEvent) => {
    const press = readPress(event);
    if (press?.isCommand) runShortcut(press, event);
  };
  const onKey = (event: KeyboardEvent) => {
    const press = readPress(event, before);
    if (!press || press.isCommand) return;
    before = undefined;
    if (event.defaultPrevented || isTyping(event.target) || isInDialog(event.target)) return;
    if (press.isCharacter && !areSingleKeysOn) return;
    if (press.isStart) before = press;
    runShortcut(press, event);
  };
  document.addEventListener("keydown", onCommand, { capture: true });
  document.addEventListener("keydown", onKey);
  return () => {
    document.removeEventListener("keydown", onCommand, { capture: true });
    document.removeEventListener("keydown", onKey);
  };
}

function runShortcut(press: Press, event: KeyboardEvent): void {
  const found = shortcuts.get().findLast(({ keys }) => normalKeys(keys) === press.keys);
  if (!found) return;
  event.preventDefault();
  event.stopPropagation();
  found.run();
}

const ownsKeys = "textarea, select, [role=textbox], [role=combobox], [role=listbox], [role=menu], [role=spinbutton]";

/** Whether a key belongs to what has the focus: text, lists, menus. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return target.closest(ownsKeys) !== null;
}

/** Letters do nothing to the page that lies behind a dialog. */
function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog], [role=alertdialog]") !== null;
}
