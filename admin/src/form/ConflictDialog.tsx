// Both have changed the same property: the one who saves later chooses, property by property.

import { useState } from "react";
import type { FieldProperty } from "#fields/property.ts";
import { fieldKindOf } from "#fields/registry.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import css from "./ConflictDialog.module.css";
import { useFormScope } from "./form-context.ts";
import type { Conflict } from "./merge.ts";
import type { Value } from "./values.ts";

interface Props {
  conflicts: readonly Conflict[];
  propertyOf: (name: string) => FieldProperty;
  isSaving: boolean;
  /** With the properties whose other value is taken. */
  onSave: (theirs: ReadonlySet<string>) => void;
  onDiscard: () => void;
  onCancel: () => void;
}

export function ConflictDialog({ conflicts, propertyOf, isSaving, onSave, onDiscard, onCancel }: Props) {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const choose = (name: string, isTheirs: boolean) => {
    const next = new Set(theirs);
    if (isTheirs) next.add(name);
    else next.delete(name);
    setTheirs(next);
  };
  return (
    <Dialog
      title={words.conflictTitle}
      size="large"
      onClose={onCancel}
      onSubmit={() => onSave(theirs)}
      footer={
        <>
          <Button onPress={onCancel}>{common.cancel}</Button>
          <Button onPress={onDiscard}>{words.discardMine}</Button>
          <Button variant="primary" type="submit" isPending={isSaving}>
            {words.saveChoices}
          </Button>
        </>
      }
    >
      <p>{words.conflictText}</p>
      {conflicts.map((conflict) => (
        <Choice
          key={conflict.property}
          conflict={conflict}
          property={propertyOf(conflict.property)}
          isTheirs={theirs.has(conflict.property)}
          onChoose={(isTheirs) => choose(conflict.property, isTheirs)}
        />
      ))}
    </Dialog>
  );
}

interface ChoiceProps {
  conflict: Conflict;
  property: FieldProperty;
  isTheirs: boolean;
  onChoose: (isTheirs: boolean) => void;
}

function Choice({ conflict, property, isTheirs, onChoose }: ChoiceProps) {
  const words = useWords(formWords);
  const { field } = useFormScope();
  const shown = (value: Value) => fieldKindOf(property, value).text(value, property, field) || words.emptyValue;
  const options = [
    { label: words.theirs, value: conflict.theirs, isChosen: isTheirs, choose: () => onChoose(true) },
    { label: words.yours, value: conflict.yours, isChosen: !isTheirs, choose: () => onChoose(false) },
  ];
  return (
    <fieldset className={css.choice}>
      <legend className={css.legend}>{property.label}</legend>
      <p className={css.before}>
        <span className={css.word}>{words.before}</span>
        <span className={css.text}>{shown(conflict.before)}</span>
      </p>
      {options.map(({ label, value, isChosen, choose }) => (
        <label key={label} className={css.option}>
          <input
            type="radio"
            name={`conflict ${property.name}`}
            checked={isChosen}
            onChange={choose}
            aria-label={label}
          />
          <span className={css.word}>{label}</span>
          <span className={css.text}>{shown(value)}</span>
        </label>
      ))}
    </fieldset>
  );
}
