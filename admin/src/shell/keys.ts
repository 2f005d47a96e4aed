// Which shortcut a key press is. Pure, so that it can be tested without a browser.
// Keys are written as they are shown: "Ctrl+K" (Cmd on a Mac), "g h" (one after the other), "?", "Shift+ArrowUp".

export interface Press {
  keys: string;
  /** A single character, which could also be text. */
  isCharacter: boolean;
  /** With Ctrl, Cmd or Alt, or a function key: it works everywhere, also while typing. */
  isCommand: boolean;
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
  const isMod = event.ctrlKey || event.metaKey;
  const isCommand = isMod || event.altKey || /^F\d/.test(event.key);
  const parts = [isMod && "Ctrl", event.altKey && "Alt"];
  // Of a sign that needs Shift, like "?", the sign itself says it.
  if (event.shiftKey && (isMod || event.key.length > 1 || /[a-z]/i.test(event.key))) parts.push("Shift");
  const own = normalKeys([...parts, event.key].filter(Boolean).join("+"));
  const isPair = before?.isStart && !isCommand && event.timeStamp - before.at <= pairTime;
  return {
    keys: isPair ? `${before.keys} ${own}` : own,
    isCharacter: !isCommand && event.key.length === 1,
    isCommand,
    isStart: !isPair && starts.has(own),
    at: event.timeStamp,
  };
}

/** One spelling for each: letters small, modifiers in order. */
export function normalKeys(keys: string): string {
  return keys
    .split(" ")
    .map((chord) => {
      const parts = chord.split(/(?<=.)\+/);
      const key = parts.pop() ?? "";
      const names = new Set(parts.map((part) => part.toLowerCase().replace(/^(mod|cmd)$/, "ctrl")));
      const given = ["ctrl", "alt", "shift"].filter((name) => names.has(name));
      return [...given, key.length === 1 ? key.toLowerCase() : key].join("+");
    })
    .join(" ");
}

/** As it is shown: "Ctrl+S" for "mod+s", "g h" as it is. */
export function shownKeys(keys: string): string {
  return keys.replace(/^(mod|cmd|ctrl)\+/i, "Ctrl+").replace(/\+([a-z])$/, (_, key: string) => `+${key.toUpperCase()}`);
}
