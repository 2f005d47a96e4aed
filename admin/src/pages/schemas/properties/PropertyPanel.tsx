// The chosen property: what people read, what must hold, and parts that open on request.

import type { Json } from "@contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "@contract/schemas.ts";
import { resolveType } from "@rules/property-types.ts";
import { Pencil, RotateCcw, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useSummary } from "#form/form-context.ts";
import { useDraft, useDraftStore } from "#pages/schemas/draft.ts";
import { useSchemaScope } from "#pages/schemas/editor-context.ts";
import { partOfProperty, recordOf } from "#pages/schemas/parts.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Select } from "#ui/Select.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { AgentsPart } from "./AgentsPart.tsx";
import { DefaultField } from "./DefaultField.tsx";
import { Disclosure } from "./Disclosure.tsx";
import {
  isRequiredIn,
  keyOf,
  kindOf,
  nameForm,
  removeProperty,
  renameUnsaved,
  resetOverride,
  withDefinition,
  withKey,
  withKind,
  withListed,
  withRequired,
} from "./edit.ts";
import { sourceOf, titleOf } from "./inherited.ts";
import { KindSelect } from "./KindSelect.tsx";
import { OptionsPart } from "./OptionsPart.tsx";
import { PropertyFacts } from "./PropertyFacts.tsx";
import css from "./properties.module.css";
import { RulesPart } from "./RulesPart.tsx";
import { hasOptions } from "./rule-fields.ts";
import { VisibilityPart } from "./VisibilityPart.tsx";

const DefinitionJson = lazy(() => import("./DefinitionJson.tsx").then((part) => ({ default: part.DefinitionJson })));
const RenameDialog = lazy(() =>
  import("#pages/schemas/rename/RenameDialog.tsx").then((part) => ({ default: part.RenameDialog })),
);
const Preview = lazy(() => import("./Preview.tsx").then((part) => ({ default: part.Preview })));

interface Props {
  name: string;
  definition: PropertyDefinition;
}

type PartId = "rules" | "options" | "visibility" | "agents" | "json" | "preview";
/** The same parts stay open from property to property. */
let openParts: ReadonlySet<PartId> = new Set();

export function PropertyPanel(props: Props) {
  const { isReadOnly } = useSchemaScope();
  const record = useDraft();
  const { name, definition } = props;
  if (!isReadOnly) return <Editable {...props} />;
  return (
    <>
      <h2 className={css.heading}>{name}</h2>
      <PropertyFacts
        name={name}
        definition={definition}
        isRequired={isRequiredIn(record, name)}
        isIndexed={record.index.includes(name)}
      />
    </>
  );
}

function Editable({ name, definition }: Props) {
  const words = useWords(schemasWords);
  const store = useDraftStore();
  const record = useDraft();
  const { id, parents, saved, all, onSelect, onRenamed } = useSchemaScope();
  const { errors } = useSummary(store.form);
  const [open, setOpen] = useState(openParts);
  const [isRenaming, setIsRenaming] = useState(false);
  const kind = kindOf(name, definition);
  const type = resolveType(definition);
  const source = sourceOf(name, parents);
  const isSaved = saved.has(name) && !source;
  const isShaped = type === "card" || type === "deck";
  const isId = name === "id";
  const isRequiredAbove = parents.some(({ required }) => required.includes(name));
  const isIndexedAbove = parents.some(({ index }) => index.includes(name));

  const onDefinition = (step: string, next: PropertyDefinition) =>
    store.change(`${step} ${name}`, (before) => withDefinition(before, name, next));
  const onKey = (key: string, value: Json | undefined) => onDefinition(key, withKey(definition, key, value));
  const text = (key: "label" | "help" | "placeholder") => ({
    value: definition[key] ?? "",
    onChange: (value: string) => onKey(key, value === "" ? undefined : value),
    autoComplete: "off" as const,
  });
  const toggle = (part: PartId) => (isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(part);
    else next.delete(part);
    openParts = next;
    setOpen(next);
  };
  const remove = () => {
    const names = Object.keys(record.properties);
    const at = names.indexOf(name);
    store.change(`remove ${name}`, (before) => removeProperty(before, name));
    onSelect(names[at + 1] ?? names[at - 1] ?? "");
    toast.good(words.removed(name));
    document.getElementById("schema-property")?.focus();
  };
  const shape = String(definition.schemaref ?? definition.deckref ?? keyOf(definition, "settings.schemaref") ?? "");
  const part = { name, definition, kind, onKey, onDefinition };
  const error = errors.get(partOfProperty(name));
  return (
    <>
      <div className={css.head}>
        <h2 className={css.heading}>{name}</h2>
        <div className={css.buttons}>
          {isSaved && !isId && (
            <Button variant="quiet" icon={Pencil} onPress={() => setIsRenaming(true)}>
              {words.rename}
            </Button>
          )}
          {source ? (
            <Button
              variant="quiet"
              icon={RotateCcw}
              onPress={() => store.change(`reset ${name}`, (before) => resetOverride(before, name))}
            >
              {words.resetOverride}
            </Button>
          ) : (
            !isId && (
              <Button variant="quiet" icon={Trash2} onPress={remove}>
                {words.remove}
              </Button>
            )
          )}
        </div>
      </div>
      {source && <Notice tone="info">{words.overridesNote(titleOf(source.parent))}</Notice>}
      {error !== undefined && (
        <div role="alert">
          <Notice tone="bad">{error}</Notice>
        </div>
      )}
      <div className={css.fields}>
        <KindSelect value={kind} onChange={(next, base) => onDefinition("kind", withKind(definition, next, base))} />
        {isSaved || source || isId ? (
          <TextInput label={words.name} value={name} onChange={() => undefined} isReadOnly isMono />
        ) : (
          <NameField name={name} />
        )}
        {isShaped && (
          <Select
            label={words.itemSchema}
            description={words.itemSchemaHelp}
            value={all.some((one) => one.name === shape) ? shape : shape.replace(/^.*\/|\.json$/g, "")}
            onChange={(next) => onKey("schemaref", next === "" ? undefined : next)}
            options={all
              .filter((one) => one.name !== id)
              .map((one) => ({ value: one.name, label: one.title, detail: one.name }))}
            isRequired
          />
        )}
        <TextInput label={words.label} {...text("label")} />
        <TextInput label={words.help} {...text("help")} />
        <DefaultField {...part} />
      </div>
      <div className={css.ticks}>
        <Checkbox
          label={words.required}
          isSelected={isId || isRequiredAbove || isRequiredIn(record, name)}
          isDisabled={isId || isRequiredAbove}
          description={isId ? words.idAlways : isRequiredAbove ? words.requiredByParent : undefined}
          onChange={(is) => store.change(`required ${name}`, (before) => withRequired(before, name, is))}
        />
        <Checkbox
          label={words.indexed}
          isSelected={type !== "password" && (isId || isIndexedAbove || record.index.includes(name))}
          isDisabled={isId || isIndexedAbove || type === "password"}
          description={
            type === "password" ? words.neverIndexed : isIndexedAbove && !isId ? words.indexedByParent : undefined
          }
          onChange={(is) => store.change(`indexed ${name}`, (before) => withListed(before, "index", name, is))}
        />
        <Checkbox
          label={words.unique}
          isSelected={definition.unique === true}
          onChange={(is) => onKey("unique", is || undefined)}
        />
      </div>
      <div className={css.parts}>
        <Disclosure label={words.rulesPart} isOpen={open.has("rules")} onToggle={toggle("rules")}>
          <RulesPart {...part} />
        </Disclosure>
        {hasOptions(kind) && (
          <Disclosure label={words.optionsPart} isOpen={open.has("options")} onToggle={toggle("options")}>
            <OptionsPart {...part} />
          </Disclosure>
        )}
        <Disclosure label={words.visibilityPart} isOpen={open.has("visibility")} onToggle={toggle("visibility")}>
          <VisibilityPart {...part} />
        </Disclosure>
        <Disclosure label={words.agentsPart} isOpen={open.has("agents")} onToggle={toggle("agents")}>
          <AgentsPart {...part} />
        </Disclosure>
        <Disclosure label={words.jsonPart} isOpen={open.has("json")} onToggle={toggle("json")}>
          <Suspense fallback={<Skeleton height="8rem" />}>
            <DefinitionJson name={name} definition={definition} />
          </Suspense>
        </Disclosure>
        <Disclosure label={words.previewPart} isOpen={open.has("preview")} onToggle={toggle("preview")}>
          <Suspense fallback={<Skeleton height="4rem" />}>
            <Preview name={name} />
          </Suspense>
        </Disclosure>
      </div>
      <Suspense>
        {isRenaming && (
          <RenameDialog
            schema={recordOf(store.form.base())}
            property={name}
            onClose={() => setIsRenaming(false)}
            onRenamed={(schema) => {
              setIsRenaming(false);
              onRenamed(name, renamedTo(schema, name));
            }}
          />
        )}
      </Suspense>
    </>
  );
}

/** The property that notes this former name last. */
function renamedTo({ properties }: SchemaRecord, from: string): string {
  const found = Object.entries(properties).find(([, { formerly }]) => formerly?.includes(from));
  return found?.[0] ?? from;
}

/** The name of a property that is not saved yet; taken over when it can be one. */
function NameField({ name }: { name: string }) {
  const words = useWords(schemasWords);
  const store = useDraftStore();
  const { onSelect } = useSchemaScope();
  const [text, setText] = useState(name);
  const isTaken = text !== name && Object.hasOwn(store.record().properties, text);
  const error =
    text === "" ? words.nameRequired : !nameForm.test(text) ? words.nameForm : isTaken ? words.nameTaken(text) : "";
  const take = () => {
    if (text === name || error !== "") return setText(name);
    store.change(`name ${name}`, (before) => renameUnsaved(before, name, text));
    onSelect(text);
  };
  return (
    <TextInput
      label={words.name}
      value={text}
      onChange={setText}
      onBlur={take}
      onKeyDown={({ key }) => key === "Enter" && take()}
      error={error === "" ? undefined : error}
      autoComplete="off"
      spellCheck={false}
      isMono
    />
  );
}
