// The dialogs of views: one saves the present one under a name, the other deletes saved ones. Loaded when they are opened.

import type { SavedView } from "@contract/collections.ts";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Notice } from "#ui/Notice.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./table.module.css";

interface SaveViewProps {
  /** Taken names: one's own, everybody's. */
  names: string[][];
  isShared: boolean;
  onSave: (name: string, isForAll: boolean) => Promise<void>;
  onClose: () => void;
}

export function SaveView({ names, isShared, onSave, onClose }: SaveViewProps) {
  const words = useWords(gridWords);
  const common = useWords(commonWords);
  const [name, setName] = useState("");
  const [isForAll, setIsForAll] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<{ name?: string; text?: string }>({});
  const wanted = name.trim();
  const isTaken = names[isForAll ? 1 : 0]?.includes(wanted) ?? false;
  const save = async () => {
    if (wanted === "") return setError({ name: words.nameNeeded });
    setIsPending(true);
    try {
      await onSave(wanted, isForAll);
      onClose();
    } catch (problem) {
      setIsPending(false);
      setError({ text: errorText(problem, common).text });
    }
  };
  return (
    <Dialog
      title={words.saveView}
      size="small"
      onClose={onClose}
      isDirty={name !== "" && !isPending}
      onSubmit={() => void save()}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {words.saveView}
          </Button>
        </>
      )}
    >
      <div className={css.fields}>
        <TextInput
          label={words.name}
          value={name}
          onChange={setName}
          maxLength={100}
          autoFocus
          error={error.name}
          description={isTaken ? words.nameTaken : undefined}
        />
        {isShared && (
          <Checkbox
            label={words.forEveryone}
            description={words.forEveryoneHelp}
            isSelected={isForAll}
            onChange={setIsForAll}
          />
        )}
        {error.text && (
          <div role="alert">
            <Notice tone="bad">{error.text}</Notice>
          </div>
        )}
      </div>
    </Dialog>
  );
}

interface DeleteViewsProps {
  own: readonly SavedView[];
  shared: readonly SavedView[];
  onDelete: (view: SavedView, isForAll: boolean) => void;
  onClose: () => void;
}

export function DeleteViews({ own, shared, onDelete, onClose }: DeleteViewsProps) {
  const words = useWords(gridWords);
  const list = (views: readonly SavedView[], isForAll: boolean) =>
    views.map((view) => (
      <li key={`${isForAll} ${view.name}`} className={css.view}>
        <span>{isForAll ? `${view.name} (${words.everyonesViews})` : view.name}</span>
        <IconButton label={words.deleteView(view.name)} icon={Trash2} onPress={() => onDelete(view, isForAll)} />
      </li>
    ));
  return (
    <Dialog
      title={words.views}
      size="small"
      onClose={onClose}
      footer={
        <Button variant="primary" onPress={onClose}>
          {words.done}
        </Button>
      }
    >
      <ul>
        {list(own, false)}
        {list(shared, true)}
      </ul>
    </Dialog>
  );
}
