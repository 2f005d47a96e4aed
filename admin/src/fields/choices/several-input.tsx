import { type FieldInputProps, plainText } from "#fields/field-kind.ts";
import { frameProps } from "#fields/frame.tsx";
import { jsonOf, useFieldOptions } from "#fields/options.ts";
import { MultiSelect } from "#ui/MultiSelect.tsx";
import { listOf, useEmptyList } from "./lists.ts";

export function SeveralInput(props: FieldInputProps) {
  const { property, value, onChange, context } = props;
  const { kind, settings, definition } = property;
  const entries = listOf(value);
  const values = entries.map(plainText);
  const { options, isLoading, isGone, onSearch, isRelation } = useFieldOptions(property, context, { chosen: values });
  const empty = useEmptyList(props);
  const allowsDoubles = kind === "list" && settings.duplicateItemsAllowed === true;
  const optionOf = (one: string) => options.find((option) => option.value === one);
  const change = (next: string[]) => {
    const stored = (one: string) => entries.find((entry) => plainText(entry) === one) ?? jsonOf(one, options);
    onChange(next.length === 0 ? empty : next.map(stored));
  };
  return (
    <MultiSelect
      {...frameProps(props)}
      chosen={(allowsDoubles ? values : [...new Set(values)]).map((one) => ({
        value: one,
        label: optionOf(one)?.label ?? one,
        isGone: isGone(one),
        href: optionOf(one)?.href,
      }))}
      onChange={change}
      options={options}
      isLoading={isLoading}
      onSearch={onSearch}
      allowsCustomValue={kind === "list" && !isRelation && settings.addChoices !== false}
      allowsDoubles={allowsDoubles}
      placeholder={definition.placeholder}
    />
  );
}
