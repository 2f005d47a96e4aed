// A new property: its kind, its name, what people read, and what must hold for its values.

import { typeOfField } from "@rules/property-types.ts";
import { useState } from "react";
import { useDraft } from "#pages/schemas/draft.ts";
import { useSchemaScope } from "#pages/schemas/editor-context.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Select } from "#ui/Select.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { type NewProperty, nameForm, nameFrom } from "./edit.ts";
import { KindSelect } from "./KindSelect.tsx";
import css from "./properties.module.css";

interface Props {
  onAdd: (made: NewProperty) => void;
  onClose: () => void;
}

const empty: NewProperty = {
  ...{ name: "", kind: "text", label: "", help: "", itemSchema: "" },
  ...{ isRequired: false, isIndexed: false, isUnique: false },
};

export function AddPropertyDialog({ onAdd, onClose }: Props) {
  const words = useWords(schemasWords);
  const common = useWords(commonWords);
  const record = useDraft();
  const { id, all } = useSchemaScope();
  const [values, setValues] = useState(empty);
  const [isNameTyped, setIsNameTyped] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const { name, kind, label, help, isRequired, isIndexed, isUnique, itemSchema } = values;
  const set = (change: Partial<NewProperty>) => setValues((before) => ({ ...before, ...change }));
  const type = values.type ?? typeOfField(kind);
  const isShaped = type === "card" || type === "deck";
  const isPassword = type === "password";
  // The id that a new schema begins with may be made in another way.
  const isTaken = Object.hasOwn(record.properties, name) && !(id === undefined && name === "id");
  const nameError =
    name === "" ? words.nameRequired : !nameForm.test(name) ? words.nameForm : isTaken ? words.nameTaken(name) : "";
  const kindError = kind === "" ? words.kindRequired : "";
  const shapeError = isShaped && itemSchema === "" ? words.itemSchemaRequired : "";
  const shown = (error: string) => (isTried && error !== "" ? error : undefined);
  const submit = () => {
    setIsTried(true);
    if (nameError + kindError + shapeError !== "") return;
    onAdd({ ...values, itemSchema: isShaped ? itemSchema : "", isIndexed: isIndexed && !isPassword });
  };
  return (
    <Dialog
      title={words.addProperty}
      onClose={onClose}
      onSubmit={submit}
      isDirty={label !== "" || name !== "" || help !== ""}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" variant="primary">
            {words.add}
          </Button>
        </>
      )}
    >
      <KindSelect
        value={kind}
        onChange={(next, base) => set({ kind: next, type: base })}
        error={shown(kindError)}
        autoFocus
      />
      {isShaped && (
        <Select
          label={words.itemSchema}
          description={words.itemSchemaHelp}
          value={itemSchema}
          onChange={(next) => set({ itemSchema: next })}
          options={all
            .filter((schema) => schema.name !== id)
            .map((schema) => ({ value: schema.name, label: schema.title, detail: schema.name }))}
          error={shown(shapeError)}
          isRequired
        />
      )}
      <TextInput
        label={words.label}
        value={label}
        onChange={(next) => set({ label: next, ...(!isNameTyped && { name: nameFrom(next) }) })}
        autoComplete="off"
      />
      <TextInput
        label={words.name}
        description={words.nameHelp}
        value={name}
        onChange={(next) => {
          setIsNameTyped(next !== "");
          set({ name: next });
        }}
        error={shown(nameError)}
        isRequired
        autoComplete="off"
        spellCheck={false}
        isMono
      />
      <TextInput label={words.help} value={help} onChange={(next) => set({ help: next })} autoComplete="off" />
      <div className={css.ticks}>
        <Checkbox label={words.required} isSelected={isRequired} onChange={(next) => set({ isRequired: next })} />
        <Checkbox
          label={words.indexed}
          isSelected={isIndexed && !isPassword}
          isDisabled={isPassword}
          onChange={(next) => set({ isIndexed: next })}
        />
        <Checkbox label={words.unique} isSelected={isUnique} onChange={(next) => set({ isUnique: next })} />
      </div>
    </Dialog>
  );
}
