// Both have changed the same property: the one who saves later chooses, property by property.

import { Pencil } from "lucide-react";
import { useState } from "react";
import type { FieldProperty } from "#fields/property.ts";
import { useFormScope } from "#form/form-context.ts";
import type { Conflict } from "#form/merge.ts";
import { readable } from "#form/readable.ts";
import type { Value } from "#form/values.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import css from "./ConflictDialog.module.css";
import { WordDiff } from "./WordDiff.tsx";

interface Props {
  conflicts: readonly Conflict[];
  propertyOf: (name: string) => FieldProperty;
  isSaving: boolean;
  /** With the properties whose other value is taken, and texts that were written in the dialog. */
  onSave: (theirs: ReadonlySet<string>, edited: ReadonlyMap<string, string>) => void;
  onDiscard: () => void;
  onCancel: () => void;
}

export function ConflictDialog({ conflicts, propertyOf, isSaving, onSave, onDiscard, onCancel }: Props) {
  const words = useWords(formWords);
  const common = useWords(commonWords);
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const [edited, setEdited] = useState<ReadonlyMap<string, string>>(new Map());
  const edit = (name: string, text: string | undefined) => {
    const next = new Map(edited);
    if (text === undefined) next.delete(name);
    else next.set(name, text);
    setEdited(next);
  };
  const choose = (name: string, isTheirs: boolean) => {
    const next = new Set(theirs);
    if (isTheirs) next.add(name);
    else next.delete(name);
    setTheirs(next);
    edit(name, undefined);
  };
  return (
    <Dialog
      title={words.conflictTitle}
      size="large"
      onClose={onCancel}
      isDirty={edited.size > 0}
      onSubmit={() => onSave(theirs, edited)}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button onPress={onDiscard}>{words.discardMine}</Button>
          <Button variant="primary" type="submit" isPending={isSaving}>
            {words.saveChoices}
          </Button>
        </>
      )}
    >
      <p>{words.conflictText}</p>
      {conflicts.map((conflict) => (
        <Choice
          key={conflict.property}
          conflict={conflict}
          property={propertyOf(conflict.property)}
          isTheirs={theirs.has(conflict.property)}
          onChoose={(isTheirs) => choose(conflict.property, isTheirs)}
          edited={edited.get(conflict.property)}
          onEdit={(text) => edit(conflict.property, text)}
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
  /** Written here; undefined: one of the two as it is. */
  edited: string | undefined;
  onEdit: (text: string) => void;
}

/** Their values are plain text, so that a text made of both can be written. */
const written = new Set(["text", "textarea", "code", "styledtext"]);

function Choice({ conflict, property, isTheirs, onChoose, edited, onEdit }: ChoiceProps) {
  const words = useWords(formWords);
  const { field } = useFormScope();
  const shown = (value: Value) => readable(value, property, field);
  const before = shown(conflict.before);
  const chosen = isTheirs ? conflict.theirs : conflict.yours;
  const options = [
    { label: words.theirs, value: conflict.theirs, isChosen: isTheirs, choose: () => onChoose(true) },
    { label: words.yours, value: conflict.yours, isChosen: !isTheirs, choose: () => onChoose(false) },
  ];
  return (
    <fieldset className={css.choice}>
      <legend className={css.legend}>{property.label}</legend>
      <p className={css.before}>
        <span className={css.word}>{words.before}</span>
        <span className={css.text}>{before || words.emptyValue}</span>
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
          <span className={css.text}>
            {shown(value) === "" ? words.emptyValue : <WordDiff before={before} after={shown(value)} />}
          </span>
        </label>
      ))}
      {written.has(property.kind) && edited === undefined && (
        <div>
          <Button variant="quiet" icon={Pencil} onPress={() => onEdit(typeof chosen === "string" ? chosen : "")}>
            {words.editText(property.label)}
          </Button>
        </div>
      )}
      {edited !== undefined && (
        <TextArea label={words.textToSave(property.label)} value={edited} onChange={onEdit} rows={3} />
      )}
    </fieldset>
  );
}
