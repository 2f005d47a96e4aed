// Whether forms show a property, and when.

import type { Json } from "@contract/json.ts";
import { isJsonObject } from "@contract/json.ts";
import { readVisibility } from "@rules/visibility.ts";
import { useFlatDraft } from "#pages/schemas/editor-context.ts";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Select } from "#ui/Select.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { keyOf } from "./edit.ts";
import type { PartProps } from "./part-props.ts";
import css from "./properties.module.css";

const several = new Set(["in", "not_in"]);
const valueless = new Set(["empty", "not_empty"]);

export function VisibilityPart({ name, definition, onKey }: PartProps) {
  const words = useWords(schemasWords);
  const { flat } = useFlatDraft();
  const written = keyOf(definition, "settings.visibility");
  const rule = readVisibility(written);
  const set = (change: { [key: string]: Json | undefined }) => {
    const next = { ...(isJsonObject(written) ? written : {}), ...change };
    const given = Object.entries(next).filter((entry): entry is [string, Json] => entry[1] !== undefined);
    onKey("settings.visibility", Object.fromEntries(given));
  };
  const flag = (key: "hide" | "readonly" | "lockOnEdit", label: string) => (
    <Checkbox
      label={label}
      isSelected={keyOf(definition, `settings.${key}`) === true || (key === "hide" && definition.hide === true)}
      onChange={(is) => {
        if (key === "hide" && definition.hide === true && !is) onKey("hide", undefined);
        else onKey(`settings.${key}`, is || undefined);
      }}
    />
  );
  const isList = rule !== undefined && several.has(rule.operator);
  return (
    <>
      <div>
        {flag("hide", words.hideAlways)}
        {flag("readonly", words.readOnlyField)}
        {flag("lockOnEdit", words.lockOnEdit)}
      </div>
      <div className={css.fields}>
        <Select
          label={words.showWhen}
          description={words.showWhenHelp}
          value={rule?.watch ?? ""}
          onChange={(watch) => (watch === "" ? onKey("settings.visibility", undefined) : set({ watch }))}
          options={Object.entries(flat.properties)
            .filter(([other]) => other !== name)
            .map(([other, one]) => ({ value: other, label: other, detail: one.label ?? "" }))}
          isClearable
        />
        {rule && (
          <Select
            label={words.condition}
            value={rule.operator}
            onChange={(operator) => {
              const isNowList = several.has(operator);
              const values = Array.isArray(rule.value) ? rule.value : rule.value === null ? [] : [rule.value];
              set({ operator, value: valueless.has(operator) ? undefined : isNowList ? values : (values[0] ?? "") });
            }}
            options={Object.entries(words.operators).map(([value, label]) => ({ value, label }))}
          />
        )}
        {rule && !valueless.has(rule.operator) && (
          <TextInput
            label={isList ? words.conditionValues : words.conditionValue}
            value={Array.isArray(rule.value) ? rule.value.join(", ") : rule.value === null ? "" : String(rule.value)}
            onChange={(text) =>
              set({ value: isList ? text.split(",").map((part, at) => (at ? part.trimStart() : part)) : text })
            }
            autoComplete="off"
          />
        )}
        {rule && (
          <Select
            label={words.otherwise}
            value={rule.mode}
            onChange={(mode) => set({ mode })}
            options={(["hide", "disable"] as const).map((value) => ({ value, label: words.modes[value] }))}
          />
        )}
      </div>
    </>
  );
}
