// A form that is edited: saved by button, keys and palette, and kept on this device until then.

import { useEffect, useMemo, useState } from "react";
import type { FormScope } from "#form/form-context.ts";
import { forget, type KeptEntry } from "#form/kept.ts";
import { useKept } from "#form/use-kept.ts";
import { useCommand } from "#session/commands.ts";
import { useStart } from "#session/start.ts";
import { useShortcut } from "#shell/shortcuts.ts";
import { newId } from "#ui/newId.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { type Saving, useSave } from "./use-save.ts";

interface Editing extends Saving {
  /** Where its changes are kept: the collection, or a name that no collection has; and which one of it. */
  place: { collection: string; id: string };
  /** What it is called in the list of kept changes. */
  title: () => string;
  /** The changes that were brought back. */
  kept: KeptEntry | undefined;
  isReadOnly?: boolean;
  /** Never kept: secrets. */
  isSecret?: (name: string) => boolean;
  /** All that was typed is given up: what the page holds beside the store goes as well. */
  onDiscard?: () => void;
  /** Another dialog is open, in which Ctrl+S does nothing here. */
  isCovered?: boolean;
}

export type Edited = ReturnType<typeof useEditing>;

export function useEditing(editing: Editing) {
  const { store, place, title, isNew, isReadOnly = false, isSecret, onDiscard, isCovered = false } = editing;
  const words = useWords(formWords);
  const { user, site } = useStart();
  const [form] = useState(newId);
  const [kept, setKept] = useState(isReadOnly ? undefined : editing.kept);
  const saving = useSave({
    ...editing,
    onSaved: (stored) => {
      setKept(undefined);
      return editing.onSaved?.(stored);
    },
  });
  const { save } = saving;
  const { collection, id } = place;
  const where = useMemo(() => ({ user: user.id, collection, id }), [user.id, collection, id]);
  const { isUnkept, keepNow } = useKept({
    ...{ store, form, place: where, title, etag: saving.etagNow, base: saving.baseNow },
    keptPart: (name, value) => (isReadOnly || isSecret?.(name) ? undefined : value),
  });
  // What another form kept is this form's now.
  useEffect(() => {
    if (!kept) return;
    keepNow();
    forget(localStorage, kept.place, kept.form);
  }, [kept, keepNow]);
  const discard = () => {
    store.discard();
    onDiscard?.();
    keepNow();
    setKept(undefined);
    saving.clearRefusal();
  };

  const scope = useMemo(
    (): FormScope => ({
      store,
      isReadOnly,
      field: {
        ...{ collection, timezone: site.timezone, isNew: false, idSource: "", object: undefined },
        ...{ locales: site.locales, items: {}, passwords: [], helpStyle: "", form },
        ...{ isStored: () => true, takeOver: () => undefined },
      },
    }),
    [store, isReadOnly, collection, site, form],
  );

  useShortcut("mod+s", words.save, () => void save(), { when: !isReadOnly && !isCovered });
  useCommand(isReadOnly ? undefined : { id: "save", label: words.save, shortcut: "Ctrl+S", run: () => void save() });

  const takeTheirs = () => {
    saving.takeTheirs();
    onDiscard?.();
  };
  return { ...saving, takeTheirs, store, scope, isNew, isReadOnly, form, kept, isUnkept, keepNow, discard };
}
