// The dialogs of a depot: a name for a folder or file, and the folder to move to.

import { useState } from "react";
import { DialogButtons, DialogError } from "#files/DialogButtons.tsx";
import { useDeed } from "#files/use-deed.ts";
import { Dialog } from "#ui/Dialog.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { depotWords } from "#words/depot.ts";
import { useWords } from "#words/language.ts";
import { FolderTree } from "./FolderTree.tsx";
import { type DepotFolder, nameOf, parentOf } from "./tree.ts";

interface NameProps {
  title: string;
  /** Of the button. */
  label: string;
  initial?: string;
  /** What is wrong with a name before it is sent. */
  check: (name: string) => string | undefined;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
}

export function NameDialog({ title, label, initial = "", check, onName, onClose }: NameProps) {
  const words = useWords(depotWords);
  const [name, setName] = useState(initial);
  const [isAsked, setIsAsked] = useState(false);
  const { isPending, error, setError, run } = useDeed();
  const clean = name.trim();
  const problem = clean === "" ? words.nameMissing : check(clean);
  const submit = () => {
    setIsAsked(true);
    if (initial !== "" && clean === initial) return onClose();
    if (problem) return;
    void run(async () => {
      await onName(clean);
      onClose();
    });
  };
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      onSubmit={submit}
      footer={<DialogButtons label={label} isPending={isPending} onCancel={onClose} />}
    >
      <TextInput
        label={words.name}
        value={name}
        onChange={(next) => {
          setName(next);
          setError("");
        }}
        description={words.nameRule}
        error={isAsked ? problem : undefined}
        autoFocus
        autoComplete="off"
        onFocus={({ target }) => {
          // The extension is rarely meant.
          const dot = target.value.lastIndexOf(".");
          target.setSelectionRange(0, dot > 0 ? dot : target.value.length);
        }}
      />
      <DialogError>{error}</DialogError>
    </Dialog>
  );
}

interface MoveProps {
  root: DepotFolder;
  paths: readonly string[];
  onMove: (destination: string) => void;
  onClose: () => void;
}

export function MoveDialog({ root, paths, onMove, onClose }: MoveProps) {
  const words = useWords(depotWords);
  const [first = ""] = paths;
  const [folder, setFolder] = useState(parentOf(first));
  const isSame = paths.every((path) => parentOf(path) === folder);
  return (
    <Dialog
      title={words.moveTitle(paths.length, nameOf(first))}
      onClose={onClose}
      onSubmit={() => {
        if (!isSame) onMove(folder);
        onClose();
      }}
      footer={<DialogButtons label={words.moveButton} isPending={false} isDisabled={isSame} onCancel={onClose} />}
    >
      <p>{words.moveText}</p>
      <FolderTree label={words.allFolders} root={root} chosen={folder} onChoose={setFolder} closed={paths} autoFocus />
    </Dialog>
  );
}
