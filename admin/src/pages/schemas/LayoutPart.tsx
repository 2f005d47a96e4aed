// The layout of the form, with the draft that it is a part of.

import { useDraftStore } from "./draft.ts";
import { useFlatDraft, useSchemaScope } from "./editor-context.ts";
import { LayoutTab } from "./layout/LayoutTab.tsx";

export function LayoutPart() {
  const store = useDraftStore();
  const draft = useFlatDraft();
  const { isReadOnly } = useSchemaScope();
  const change = (text: string) =>
    store.change("formgrid", ({ formgrid: _, ...record }) => (text === "" ? record : { ...record, formgrid: text }));
  return <LayoutTab draft={draft} onChange={change} isReadOnly={isReadOnly} />;
}
