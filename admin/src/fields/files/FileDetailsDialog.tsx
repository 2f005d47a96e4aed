// What people say of a file: its name for downloads, tags, comments. Stored with Save.

import type { JsonObject } from "@contract/json.ts";
import { useState } from "react";
import { plainText } from "#fields/field-kind.ts";
import { DialogButtons } from "#files/DialogButtons.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { depotWords } from "#words/depot.ts";
import { useWords } from "#words/language.ts";
import css from "./file.module.css";

interface Props {
  file: JsonObject & { name: string };
  onApply: (file: JsonObject) => void;
  onClose: () => void;
}

export function FileDetailsDialog({ file, onApply, onClose }: Props) {
  const words = useWords(depotWords);
  const stored = {
    download: plainText(file.download),
    tags: [file.tags ?? []].flat().join(", "),
    comments: plainText(file.comments),
  };
  const [typed, setTyped] = useState(stored);
  const isDirty = Object.entries(typed).some(([name, text]) => text !== stored[name as keyof typeof stored]);
  const set = (name: keyof typeof stored) => (text: string) => setTyped({ ...typed, [name]: text });
  const apply = () => {
    const tags = [...new Set(typed.tags.split(",").map((tag) => tag.trim()))].filter(Boolean);
    if (isDirty) onApply({ ...file, download: typed.download.trim(), comments: typed.comments, tags });
    onClose();
  };
  return (
    <Dialog
      title={file.name}
      onClose={onClose}
      onSubmit={apply}
      isDirty={isDirty}
      footer={(close) => <DialogButtons label={words.apply} isPending={false} onCancel={close} />}
    >
      <div className={css.stack}>
        <TextInput label={words.downloadName} value={typed.download} onChange={set("download")} autoFocus />
        <TextInput label={words.tags} description={words.tagsHelp} value={typed.tags} onChange={set("tags")} />
        <TextArea label={words.comments} value={typed.comments} onChange={set("comments")} rows={3} />
      </div>
    </Dialog>
  );
}
