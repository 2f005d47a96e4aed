// Asks for the title of a heading or fieldset.

import { useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { schemaLayoutWords } from "#words/schema-layout.ts";

interface Props {
  heading: string;
  title: string;
  action: string;
  onDone: (title: string) => void;
  onClose: () => void;
}

export function TitleDialog({ heading, title: before, action, onDone, onClose }: Props) {
  const words = useWords(schemaLayoutWords);
  const common = useWords(commonWords);
  const [title, setTitle] = useState(before);
  const [isTried, setIsTried] = useState(false);
  const submit = () => {
    setIsTried(true);
    if (title.trim() !== "") onDone(title.trim());
  };
  return (
    <Dialog
      title={heading}
      size="small"
      onClose={onClose}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button variant="primary" type="submit">
            {action}
          </Button>
        </>
      )}
    >
      <TextInput
        label={words.title}
        value={title}
        onChange={setTitle}
        autoFocus
        error={isTried && title.trim() === "" ? words.titleNeeded : undefined}
      />
    </Dialog>
  );
}
