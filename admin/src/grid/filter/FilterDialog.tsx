// One more filter: property, condition, value.

import { useState } from "react";
import type { Filter } from "#grid/address.ts";
import { choicesOf } from "#grid/choices.ts";
import type { Column } from "#grid/columns.ts";
import { type Condition, conditionsFor, filterOf, isComplete, isNeverEmpty, takesValue } from "#grid/filters.ts";
import { splitValues } from "#grid/values.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Select } from "#ui/Select.tsx";
import { commonWords } from "#words/common.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./filter.module.css";
import { ValueControl } from "./ValueControl.tsx";

interface Props {
  collection: string;
  columns: readonly Column[];
  onApply: (filter: Filter) => void;
  onClose: () => void;
}

export function FilterDialog({ collection, columns, onApply, onClose }: Props) {
  const words = useWords(gridWords);
  const common = useWords(commonWords);
  const [property, setProperty] = useState("");
  const [chosen, setChosen] = useState<Condition>();
  const [value, setValue] = useState("");
  const [to, setTo] = useState("");
  const column = columns.find((one) => one.property === property);
  const offered = column ? conditionsOf(column) : [];
  const condition = chosen && offered.includes(chosen) ? chosen : offered[0];
  const test = condition && { condition, value: condition === "oneOf" ? splitValues(value).join("|") : value, to };
  const isReady = column && test && isComplete(test);
  const apply = () => {
    if (isReady) onApply(filterOf(property, test));
  };
  const control = column && {
    collection,
    column,
    isMany: condition === "oneOf",
    isPart: condition === "contains",
  };
  return (
    <Dialog
      title={words.filter}
      size="small"
      onClose={onClose}
      onSubmit={apply}
      footer={
        <>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isDisabled={!isReady}>
            {words.apply}
          </Button>
        </>
      }
    >
      <div className={css.fields}>
        <Select
          label={words.property}
          options={propertyOptions(columns, words.columnsSlow)}
          value={property}
          onChange={(next) => {
            setProperty(next);
            setValue("");
            setTo("");
          }}
          autoFocus
        />
        <Select
          label={words.condition}
          options={offered.map((one) => ({ value: one, label: words.conditions[one] }))}
          // The first one holds until another is chosen.
          value={condition === chosen ? (chosen ?? "") : ""}
          placeholder={condition && words.conditions[condition]}
          onChange={(next) => setChosen(next as Condition)}
          isDisabled={!column}
        />
        {control && condition && takesValue(condition) && (
          <ValueControl key={`${property} value`} {...control} label={words.value} value={value} onChange={setValue} />
        )}
        {control && condition === "between" && (
          <ValueControl key={`${property} to`} {...control} label={words.valueTo} value={to} onChange={setTo} />
        )}
      </div>
    </Dialog>
  );
}

function conditionsOf({ property, type, definition }: Column): readonly Condition[] {
  const offered = conditionsFor(type, choicesOf(definition).length > 0);
  return isNeverEmpty(property) ? offered.filter(takesValue) : offered;
}

function propertyOptions(columns: readonly Column[], slower: string) {
  return columns
    .filter(({ type }) => type !== "password")
    .map(({ property, label, isIndexed }) => ({ value: property, label, ...(!isIndexed && { group: slower }) }));
}
