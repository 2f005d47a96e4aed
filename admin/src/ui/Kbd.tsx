// Keys to press: "Ctrl+K", or "g h" for one after the other.

import css from "./Kbd.module.css";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const signs: Record<string, string> = isMac ? { Ctrl: "⌘", Alt: "⌥", Shift: "⇧", Enter: "↵" } : { Enter: "↵" };

export function Kbd({ keys }: { keys: string }) {
  return (
    <span className={css.keys}>
      {keys.split(" ").map((chord) => (
        <kbd key={chord} className={css.chord}>
          {chord
            .split("+")
            .map((key) => signs[key] ?? key)
            .join(isMac ? "" : "+")}
        </kbd>
      ))}
    </span>
  );
}
