// What the server does after a sending is stored, in order.

import { isJsonObject, type JsonObject } from "@contract/json.ts";
import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { FieldProperty } from "#fields/property.ts";
import { useErrors, useFieldState, useFormScope } from "#form/form-context.ts";
import css from "#pages/collections/settings/settings.module.css";
import { useCan, useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Select } from "#ui/Select.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { formSettingsWords } from "#words/form-settings.ts";
import { useWords } from "#words/language.ts";

const mostIds = 200;

type ActionType = "mailer" | "webhook" | "automation" | "extension";

const firstOf: Record<ActionType, JsonObject> = {
  mailer: { type: "mailer", mailerId: "" },
  webhook: { type: "webhook", url: "" },
  automation: { type: "automation", id: "" },
  extension: { type: "extension", extension: "", name: "" },
};

export function FormActions({ path, fields }: { path: string; fields: readonly FieldProperty[] }) {
  const words = useWords(formSettingsWords);
  const { store } = useFormScope();
  const { value } = useFieldState(store, path);
  const errors = useErrors(store, path);
  const actions = (Array.isArray(value) ? value : []).filter(isJsonObject);
  const set = (next: JsonObject[]) => store.set(path, next.length === 0 ? undefined : next);
  return (
    <div data-property={path} tabIndex={-1} className={css.stack}>
      {errors.get("") && <p className={css.error}>{errors.get("")}</p>}
      {actions.map((action, at) => (
        <ActionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: actions have no id, and their order is what they are
          key={at}
          action={action}
          number={at + 1}
          path={`${path}.${at}`}
          error={errors.get(String(at))}
          fields={fields}
          onChange={(next) => set(actions.with(at, next))}
          onRemove={() => set(actions.toSpliced(at, 1))}
        />
      ))}
      <div>
        <Button icon={Plus} onPress={() => set([...actions, firstOf.mailer])}>
          {words.addAction}
        </Button>
      </div>
    </div>
  );
}

interface RowProps {
  action: JsonObject;
  number: number;
  path: string;
  error: string | undefined;
  fields: readonly FieldProperty[];
  onChange: (action: JsonObject) => void;
  onRemove: () => void;
}

function ActionRow({ action, number, path, error, fields, onChange, onRemove }: RowProps) {
  const words = useWords(formSettingsWords);
  const { formActions } = useStart().extensions;
  const text = (key: string) => (typeof action[key] === "string" ? action[key] : "");
  const change = (key: string, value: string) => {
    const { [key]: _before, ...rest } = action;
    onChange(key === "replyTo" && value === "" ? rest : { ...rest, [key]: value });
  };
  return (
    <fieldset className={css.action} data-property={path} tabIndex={-1}>
      <legend className={css.legend}>{words.action(number)}</legend>
      <div className={css.actionFields}>
        <Select
          label={words.type}
          value={text("type")}
          onChange={(type) => onChange(firstOf[type as ActionType])}
          options={Object.entries(words.actionTypes)
            .filter(([value]) => value !== "extension" || formActions.length > 0 || action.type === "extension")
            .map(([value, label]) => ({ value, label }))}
        />
        {action.type === "mailer" && (
          <>
            <IdSelect
              label={words.mail}
              of="mailer"
              value={text("mailerId")}
              onChange={(id) => change("mailerId", id)}
            />
            <Select
              label={words.replyTo}
              value={text("replyTo")}
              onChange={(name) => change("replyTo", name)}
              options={fields.map(({ name, label }) => ({ value: name, label }))}
              isClearable
            />
          </>
        )}
        {action.type === "webhook" && (
          <TextInput
            label={words.url}
            type="url"
            value={text("url")}
            onChange={(url) => change("url", url)}
            placeholder="https://"
            autoComplete="off"
          />
        )}
        {action.type === "automation" && (
          <IdSelect label={words.automation} of="automations" value={text("id")} onChange={(id) => change("id", id)} />
        )}
        {action.type === "extension" && (
          <Select
            label={words.extensionAction}
            value={text("extension") === "" ? "" : `${text("extension")}:${text("name")}`}
            onChange={(chosen) => {
              const [extension = "", name = ""] = chosen.split(":");
              onChange({ type: "extension", extension, name });
            }}
            options={formActions.map(({ extension, extensionName, name, title }) => ({
              value: `${extension}:${name}`,
              label: title,
              detail: extensionName,
            }))}
            allowsCustomValue
          />
        )}
        <IconButton label={words.removeAction(number)} icon={X} onPress={onRemove} />
      </div>
      {error && <p className={css.error}>{error}</p>}
    </fieldset>
  );
}

interface IdSelectProps {
  label: string;
  of: string;
  value: string;
  onChange: (id: string) => void;
}

/** Ids of a collection; those of one that the user may not read are typed. */
function IdSelect({ label, of: collection, value, onChange }: IdSelectProps) {
  const can = useCan();
  const ids = useQuery({
    queryKey: ["options", "ids", collection],
    queryFn: ({ signal }) =>
      askData<JsonObject[]>(routes.query, { path: { collection }, query: { limit: mostIds }, signal }),
    enabled: can("read", { objects: collection }),
  });
  return (
    <Select
      label={label}
      value={value}
      onChange={onChange}
      options={(ids.data ?? []).map(({ id }) => ({ value: String(id), label: String(id) }))}
      allowsCustomValue
    />
  );
}
