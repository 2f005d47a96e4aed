// A property that comes from a parent: what it is, as text.

import { Layers2 } from "lucide-react";
import { useDraft, useDraftStore } from "#pages/schemas/draft.ts";
import { useSchemaScope } from "#pages/schemas/editor-context.ts";
import { TextLink } from "#shell/links.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { withDefinition } from "./edit.ts";
import { type Inherited, titleOf } from "./inherited.ts";
import { PropertyFacts } from "./PropertyFacts.tsx";
import css from "./properties.module.css";

export function InheritedPanel({ inherited: { name, definition, parent } }: { inherited: Inherited }) {
  const words = useWords(schemasWords);
  const store = useDraftStore();
  const record = useDraft();
  const { isReadOnly } = useSchemaScope();
  const override = () =>
    store.change(`override ${name}`, (before) => withDefinition(before, name, structuredClone(definition)));
  return (
    <>
      <div className={css.head}>
        <h2 className={css.heading}>{name}</h2>
        {!isReadOnly && (
          <Button icon={Layers2} onPress={override}>
            {words.override}
          </Button>
        )}
      </div>
      <Notice tone="info">
        {words.inheritedNote(titleOf(parent))}{" "}
        <TextLink to="/admin/schemas/$id" params={{ id: parent.id }} search={{ property: name }}>
          {titleOf(parent)}
        </TextLink>
      </Notice>
      <PropertyFacts
        name={name}
        definition={definition}
        isRequired={parent.required.includes(name) || record.required.includes(name)}
        isIndexed={parent.index.includes(name) || record.index.includes(name)}
      />
    </>
  );
}
