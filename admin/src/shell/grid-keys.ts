// Keys that tables, lists and dialogs handle themselves; the list of shortcuts names them too.

import type { shell } from "#words/en/shell.ts";

export function gridKeys(words: typeof shell): (readonly [keys: string, label: string])[] {
  return [
    ["↑ ↓ ← →", words.keyMove],
    ["Enter", words.keyOpen],
    ["Space", words.keySelect],
    ["Shift+↑", words.keyRange],
    ["Delete", words.keyDelete],
    ["Alt+↑", words.keyReorder],
    ["Esc", words.keyEscape],
  ];
}
