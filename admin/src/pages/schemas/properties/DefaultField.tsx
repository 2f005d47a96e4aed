// The value that a property gets when none is sent.

import { resolveType } from "@rules/property-types.ts";
import { Select } from "#ui/Select.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import type { PartProps } from "./part-props.ts";
import { NumberField } from "./RulesPart.tsx";
import { defaultInput } from "./rule-fields.ts";

export function DefaultField({ definition, name, onKey }: Pick<PartProps, "definition" | "name" | "onKey">) {
  const words = useWords(schemasWords);
  const type = resolveType(definition);
  const input = defaultInput(type);
  const value = definition.default;
  if (input === "none" || name === "id") return null;
  const label = words.defaultLabel;
  if (input === "flag")
    return (
      <Select
        label={label}
        value={value === undefined ? "" : String(value)}
        onChange={(next) => onKey("default", next === "" ? undefined : next === "true")}
        options={[
          { value: "true", label: words.yes },
          { value: "false", label: words.no },
        ]}
        isClearable
        placeholder={words.noDefault}
      />
    );
  const isList = input === "list";
  const texts = Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
  const isShown = value === undefined || typeof value !== "object" || (isList && texts !== undefined);
  if (!isShown)
    return (
      <TextInput
        label={label}
        description={words.defaultAsJson}
        value={JSON.stringify(value)}
        onChange={() => undefined}
        isReadOnly
      />
    );
  if (input === "number")
    return <NumberField label={label} value={value} onChange={(next) => onKey("default", next)} />;
  return (
    <TextInput
      label={label}
      description={type === "date" ? words.defaultHelpDate : isList ? words.defaultHelpList : undefined}
      value={texts ? texts.join(", ") : value === undefined ? "" : String(value)}
      onChange={(text) => {
        const parts = text.split(",").map((part, at) => (at === 0 ? part.trim() : part.trimStart()));
        onKey("default", text === "" ? undefined : isList ? parts : text);
      }}
      autoComplete="off"
    />
  );
}
