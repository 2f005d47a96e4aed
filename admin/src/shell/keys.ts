// Which shortcut a key press is. Pure, so that it can be tested without a browser.

export type ShortcutKeys = string;

export interface Press {
  keys: ShortcutKeys;
  /** Without Ctrl, Cmd or Alt: such keys also write text. */
  isSingle: boolean;
  /** May begin a pair ("g h"). */
  isStart: boolean;
  at: number;
}

export type KeyEvent = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "timeStamp"> & {
  isComposing?: boolean;
};

/** Keys that begin a pair. */
const starts = new Set(["g"]);
/** The second key of a pair comes within this time, in milliseconds. */
const pairTime = 1_500;
const modifiers = new Set(["Control", "Meta", "Alt", "Shift", "AltGraph"]);

/** Undefined for a modifier alone and while an input method composes. */
export function readPress(event: KeyEvent, before?: Press): Press | undefined {
  if (event.isComposing || modifiers.has(event.key)) return undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isMod = event.ctrlKey || event.metaKey;
  const parts: string[] = [];
  if (isMod) parts.push("mod");
  if (event.altKey) parts.push("alt");
  // Of a sign that needs Shift, like "?", the sign itself says it.
  if (event.shiftKey && (isMod || event.key.length > 1 || /[a-z]/.test(key))) parts.push("shift");
  const own = [...parts, key].join("+");
  const isSingle = !isMod && !event.altKey;
  const isPair = before?.isStart && isSingle && event.timeStamp - before.at <= pairTime;
  return {
    keys: isPair ? `${before.keys} ${own}` : own,
    isSingle: isSingle && event.key.length === 1,
    isStart: !isPair && isSingle && starts.has(own),
    at: event.timeStamp,
  };
}

/** As it is shown: "Ctrl K", "G then H". */
export function showKeys(keys: ShortcutKeys, isMac: boolean): string[] {
  return keys.split(" ").flatMap((press) => {
    if (press === "+") return ["+"];
    return press.split("+").map((part) => {
      if (part === "mod") return isMac ? "⌘" : "Ctrl";
      if (part === "alt") return isMac ? "⌥" : "Alt";
      if (part === "shift") return isMac ? "⇧" : "Shift";
      return part.length === 1 ? part.toUpperCase() : part;
    });
  });
}
