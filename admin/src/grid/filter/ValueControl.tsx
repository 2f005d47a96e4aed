// The control for a value that a filter asks for, by the type of its property. Its value is text.

import { choicesOf } from "#grid/choices.ts";
import type { Column } from "#grid/columns.ts";
import { controlOf } from "#grid/values.ts";
import { DateInput } from "#ui/DateInput.tsx";
import { NumberInput } from "#ui/NumberInput.tsx";
import { Select } from "#ui/Select.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import { useSuggestions } from "./useSuggestions.ts";

export interface ValueControlProps {
  collection: string;
  column: Column;
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Several values, separated by commas. */
  isMany?: boolean;
  /** A part of the text, not one of the values. */
  isPart?: boolean;
  error?: string | undefined;
}

export function ValueControl(props: ValueControlProps) {
  const { column, label, value, onChange, isMany = false, isPart = false, error } = props;
  const words = useWords(gridWords);
  const kind = controlOf(column);
  const common = { label, value, onChange, ...(error !== undefined && { error }) };
  if (kind === "boolean")
    return (
      <Select
        {...common}
        options={[
          { value: "true", label: words.yes },
          { value: "false", label: words.no },
        ]}
      />
    );
  if (kind === "date" || kind === "datetime") return <DateInput {...common} />;
  if (kind === "number" && !isMany) return <NumberInput {...common} />;
  if (kind === "textarea" && !isMany && !isPart) return <TextArea {...common} />;
  if (isMany || isPart) return <TextInput {...common} {...(isMany && { description: words.valuesHelp })} />;
  if (kind === "choice") return <Select {...common} options={choicesOf(column.definition)} isClearable />;
  return <SuggestedText {...props} />;
}

/** Free text, with the values that other objects have. */
function SuggestedText({ collection, column, label, value, onChange, error }: ValueControlProps) {
  const suggestions = useSuggestions(collection, column, value);
  const common = { label, value, onChange, ...(error !== undefined && { error }) };
  if (suggestions.length === 0) return <TextInput {...common} />;
  return <Select {...common} options={suggestions} allowsCustomValue />;
}
