// All shortcuts that work on the page that is shown.

import { usePreferences } from "#session/preferences.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { gridKeys } from "./grid-keys.ts";
import { normalKeys, shownKeys } from "./keys.ts";
import styles from "./ShortcutList.module.css";
import { shortcuts } from "./shortcuts.ts";

export function ShortcutList({ onClose }: { onClose: () => void }) {
  const words = { ...useWords(commonWords), ...useWords(shellWords) };
  const { shortcuts: isOn = true } = usePreferences();
  // Of two with the same keys the last one counts.
  const own = new Map(shortcuts.use().map((shortcut) => [normalKeys(shortcut.keys), shortcut]));
  const shown = [...own.values()].filter(({ label }) => label !== "");
  return (
    <Dialog
      title={words.keyboardShortcuts}
      onClose={onClose}
      footer={
        <Button onPress={onClose} autoFocus>
          {words.close}
        </Button>
      }
    >
      {!isOn && <p>{words.shortcutsOff}</p>}
      <h3 className={styles.heading}>{words.onThisPage}</h3>
      <Keys entries={shown.map(({ keys, label }) => [shownKeys(keys), label])} />
      <h3 className={styles.heading}>{words.inGrids}</h3>
      <Keys entries={gridKeys(words)} />
    </Dialog>
  );
}

function Keys({ entries }: { entries: readonly (readonly [keys: string, label: string])[] }) {
  return (
    <dl className={styles.keys}>
      {entries.map(([keys, label]) => (
        <div key={keys}>
          <dt>{label}</dt>
          <dd>
            <Kbd keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
