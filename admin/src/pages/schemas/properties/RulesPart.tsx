// What must hold for the values of a property, by its kind.

import type { Json } from "@contract/json.ts";
import { resolveType } from "@rules/property-types.ts";
import { useState } from "react";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Select } from "#ui/Select.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { keyOf } from "./edit.ts";
import type { PartProps } from "./part-props.ts";
import css from "./properties.module.css";
import { type RuleField, ruleFields } from "./rule-fields.ts";

export function RulesPart({ definition, kind, onKey }: PartProps) {
  const words = useWords(schemasWords);
  const fields = ruleFields(kind, resolveType(definition));
  const ticks = fields.filter(({ input }) => input === "flag");
  const others = fields.filter(({ input }) => input !== "flag");
  if (fields.length === 0) return <p className={css.quiet}>{words.noRules}</p>;
  return (
    <>
      <div className={css.fields}>
        {others.map((field) => (
          <RuleInput
            key={field.key}
            field={field}
            value={keyOf(definition, field.key)}
            onChange={(value) => onKey(field.key, value)}
          />
        ))}
      </div>
      {ticks.map(({ key, isOnByDefault = false }) => (
        <Checkbox
          key={key}
          label={words.rules[key] ?? key}
          isSelected={(keyOf(definition, key) ?? isOnByDefault) === true}
          onChange={(is) => onKey(key, is === isOnByDefault ? undefined : is)}
        />
      ))}
    </>
  );
}

interface InputProps {
  field: RuleField;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}

function RuleInput({ field: { key, input, choices = [] }, value, onChange }: InputProps) {
  const words = useWords(schemasWords);
  const label = words.rules[key] ?? key;
  const help = words.ruleHelp[key];
  if (input === "choice")
    return (
      <Select
        label={label}
        value={typeof value === "string" ? value : ""}
        onChange={(next) => onChange(next === "" ? undefined : next)}
        options={choices.map((choice) => ({ value: choice, label: choice }))}
        isClearable
        placeholder={words.noDefault}
      />
    );
  if (input === "number" || input === "whole")
    return <NumberField label={label} isWhole={input === "whole"} value={value} onChange={onChange} />;
  return (
    <TextInput
      label={label}
      description={help}
      value={Array.isArray(value) ? value.join(", ") : value === undefined ? "" : String(value)}
      onChange={(text) => onChange(text === "" ? undefined : input === "list" ? partsIn(text) : text)}
      autoComplete="off"
      spellCheck={false}
      isMono={input === "pattern"}
    />
  );
}

function partsIn(text: string): Json {
  // A comma at the end is the beginning of the next one.
  return text.split(",").map((part, at) => (at === 0 ? part.trim() : part.trimStart()));
}

interface NumberFieldProps {
  label: string;
  isWhole?: boolean;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}

/** What is no number stays as it was typed, and changes nothing. */
export function NumberField({ label, isWhole = false, value, onChange }: NumberFieldProps) {
  const words = useWords(schemasWords);
  const [text, setText] = useState<string>();
  const written = value === undefined ? "" : String(value);
  const isRight = (typed: string) => {
    const number = Number(typed);
    return typed.trim() === typed && (isWhole ? Number.isSafeInteger(number) && number >= 0 : Number.isFinite(number));
  };
  return (
    <TextInput
      label={label}
      value={text ?? written}
      onChange={(typed) => {
        if (typed === "") onChange(undefined);
        else if (isRight(typed)) onChange(Number(typed));
        setText(typed);
      }}
      onBlur={() => isRight(text ?? "") && setText(undefined)}
      error={
        text !== undefined && text !== "" && !isRight(text)
          ? isWhole
            ? words.wholeWrong
            : words.numberWrong
          : undefined
      }
      inputMode="decimal"
      autoComplete="off"
    />
  );
}
