// Alt text and tags of several pictures at once.

import type { JsonObject } from "@contract/json.ts";
import { useState } from "react";
import { readTags } from "#files/image/image-value.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";

interface Props {
  count: number;
  /** Only what was filled in. */
  onApply: (said: JsonObject) => void;
  onClose: () => void;
}

export function DescribeDialog({ count, onApply, onClose }: Props) {
  const words = useWords(fileWords);
  const common = useWords(commonWords);
  const [alt, setAlt] = useState("");
  const [tags, setTags] = useState("");
  return (
    <Dialog
      title={words.describeTitle(count)}
      size="small"
      onClose={onClose}
      isDirty={alt !== "" || tags !== ""}
      onSubmit={() =>
        onApply({
          ...(alt.trim() !== "" && { alt: alt.trim() }),
          ...(readTags(tags).length > 0 && { tags: readTags(tags) }),
        })
      }
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button variant="primary" type="submit">
            {words.apply}
          </Button>
        </>
      )}
    >
      <TextInput label={words.altText} description={words.describeHelp} value={alt} onChange={setAlt} data-autofocus />
      <TextInput label={words.tags} description={words.tagsHelp} value={tags} onChange={setTags} />
    </Dialog>
  );
}
