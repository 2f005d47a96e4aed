// One setting of an extension, by the control of its type.

import type { Json } from "@contract/json.ts";
import { lazy, Suspense, useId } from "react";
import type { FieldContext } from "#fields/field-kind.ts";
import { fieldKindOf } from "#fields/registry.ts";
import { plainProperty } from "#form/editing/plain-property.ts";
import { useFieldState } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";
import { useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { NumberInput } from "#ui/NumberInput.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { Select } from "#ui/Select.tsx";
import { Switch } from "#ui/Switch.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { extensionsWords } from "#words/extensions.ts";
import { useWords } from "#words/language.ts";
import css from "./extensions.module.css";
import type { Setting } from "./settings-form.ts";

const MultiSelect = lazy(() => import("#ui/MultiSelect.tsx").then((part) => ({ default: part.MultiSelect })));

export function SettingControl({ setting, store }: { setting: Setting; store: FormStore }) {
  return (
    <div data-property={setting.path}>
      <Control setting={setting} store={store} />
    </div>
  );
}

function Control({ setting, store }: { setting: Setting; store: FormStore }) {
  const words = useWords(extensionsWords);
  const { path, control, label, about, isRequired, isSet, min, max, choices } = setting;
  const { value, error } = useFieldState(store, path);
  const onChange = (next: Json) => store.set(path, next);
  const description = about === "" ? undefined : about;
  const common = { label, error, description, isRequired, value: typeof value === "string" ? value : "", onChange };
  if (control === "field") return <SettingField setting={setting} store={store} />;
  if (control === "boolean")
    return <Switch {...{ label, description, error, isRequired, onChange }} isSelected={value === true} />;
  if (control === "choice") {
    const options = choices.map((one) => ({ value: JSON.stringify(one), label: String(one) }));
    return <Select {...common} options={options} isClearable={!isRequired} placeholder={words.choose} />;
  }
  if (control === "number")
    return <NumberInput {...common} {...(min !== undefined && { min })} {...(max !== undefined && { max })} />;
  if (control === "list") {
    const list = Array.isArray(value) ? value.map(String) : [];
    return (
      <Suspense fallback={null}>
        <MultiSelect
          {...{ label, description, error, isRequired, onChange }}
          chosen={list.map((one) => ({ value: one, label: one }))}
          options={choices.map((one) => ({ value: String(one), label: String(one) }))}
          allowsCustomValue={choices.length === 0}
        />
      </Suspense>
    );
  }
  if (control === "secret") {
    const goes = value === null;
    const state = goes ? words.secretGoes : isSet ? words.secretSet : words.secretUnset;
    return (
      <div className={css.secret}>
        <PasswordInput
          {...common}
          description={[about, state].filter(Boolean).join(" ")}
          autoComplete="new-password"
          isUnmanaged
        />
        {isSet && (
          <Button variant="quiet" onPress={() => onChange(goes ? "" : null)}>
            {goes ? words.keepSecret(label) : words.clearSecret(label)}
          </Button>
        )}
      </div>
    );
  }
  if (control === "json")
    return <TextArea {...common} description={[about, words.jsonHelp].filter(Boolean).join(" ")} isMono />;
  if (control === "area") return <TextArea {...common} rows={4} />;
  return <TextInput {...common} autoComplete="off" spellCheck={false} />;
}

/** Drawn as a field of an object: `x-control` names its kind. */
function SettingField({
  setting: { path, kind, label, about, isRequired },
  store,
}: {
  setting: Setting;
  store: FormStore;
}) {
  const { site } = useStart();
  const id = useId();
  const { value, error } = useFieldState(store, path);
  const property = { ...plainProperty(path, label, { isText: true }), kind, isRequired, definition: { field: kind } };
  const { Input } = fieldKindOf(property, value);
  const context: FieldContext = {
    ...{ collection: "", timezone: site.timezone, locales: site.locales, isNew: false, idSource: "" },
    ...{ object: undefined, items: {}, passwords: [], helpStyle: "", form: "extension settings" },
    ...{ isStored: () => false, takeOver: () => undefined },
  };
  return (
    <Suspense fallback={null}>
      <Input
        {...{ id, path, property, value, error, context }}
        onChange={(next) => store.set(path, next ?? null)}
        onBlur={() => store.touch(path)}
        description={about === "" ? undefined : about}
        errors={new Map(error === undefined ? [] : [["", error]])}
        extra={null}
        isDisabled={false}
      />
    </Suspense>
  );
}
