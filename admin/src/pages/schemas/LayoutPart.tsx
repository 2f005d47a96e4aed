// The layout of the form.

import { Slab } from "#ui/Slab.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { useDraftStore } from "./draft.ts";
import { useFlatDraft, useSchemaScope } from "./editor-context.ts";

export function LayoutPart() {
  const words = useWords(schemasWords);
  const store = useDraftStore();
  const draft = useFlatDraft();
  const { isReadOnly } = useSchemaScope();
  return (
    <Slab>
      <TextArea
        label={words.layoutText}
        value={draft.record.formgrid ?? ""}
        onChange={(formgrid) => store.change("formgrid", (record) => ({ ...record, formgrid }))}
        isReadOnly={isReadOnly}
        rows={12}
      />
    </Slab>
  );
}
