// The properties of a schema: the list at the left, the chosen one beside it.

import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useDraft, useDraftStore } from "#pages/schemas/draft.ts";
import { useSchemaScope } from "#pages/schemas/editor-context.ts";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { addProperty } from "./edit.ts";
import { InheritedPanel } from "./InheritedPanel.tsx";
import { inheritedOf } from "./inherited.ts";
import { PropertyList } from "./PropertyList.tsx";
import css from "./properties.module.css";

const PropertyPanel = lazy(() => import("./PropertyPanel.tsx").then((part) => ({ default: part.PropertyPanel })));
const AddPropertyDialog = lazy(() =>
  import("./AddPropertyDialog.tsx").then((part) => ({ default: part.AddPropertyDialog })),
);

export function PropertiesTab() {
  const words = useWords(schemasWords);
  const store = useDraftStore();
  const record = useDraft();
  const { parents, selected, onSelect, isReadOnly } = useSchemaScope();
  const [isAdding, setIsAdding] = useState(false);
  const inherited = inheritedOf(record, parents);
  const own = Object.hasOwn(record.properties, selected) ? record.properties[selected] : undefined;
  const fromParent = inherited.find(({ name }) => name === selected);
  useShortcut("n", words.addProperty, () => setIsAdding(true), { when: !isReadOnly && !isAdding });
  return (
    <div className={css.tab}>
      <div className={css.side}>
        <Slab isFlush className={css.listSlab}>
          <PropertyList inherited={inherited} />
        </Slab>
        {!isReadOnly && (
          <Button icon={Plus} onPress={() => setIsAdding(true)}>
            {words.addProperty}
          </Button>
        )}
      </div>
      <Slab
        as="section"
        id="schema-property"
        className={css.panel}
        aria-label={words.property}
        tabIndex={-1}
        data-kind={own?.field}
      >
        <Suspense fallback={<Skeleton height="16rem" />}>
          {own && <PropertyPanel key={selected} name={selected} definition={own} />}
        </Suspense>
        {!own && fromParent && <InheritedPanel key={selected} inherited={fromParent} />}
        {!own && !fromParent && <p className={css.quiet}>{words.choosePrompt}</p>}
      </Slab>
      <Suspense>
        {isAdding && (
          <AddPropertyDialog
            onClose={() => setIsAdding(false)}
            onAdd={(made) => {
              store.change(`add ${made.name}`, (before) => addProperty(before, made));
              setIsAdding(false);
              onSelect(made.name);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
