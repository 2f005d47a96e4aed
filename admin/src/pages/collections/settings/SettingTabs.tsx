// The tabs of a collection's settings.

import type { Option } from "@contract/admin.ts";
import { operations } from "@contract/collections.ts";
import { isJsonObject } from "@contract/json.ts";
import { humanise } from "@rules/labels.ts";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useId } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Extra } from "#fields/frame.tsx";
import { FormField } from "#form/FormField.tsx";
import { useBase, useFieldState, useFormScope } from "#form/form-context.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { settingsWords } from "#words/settings.ts";
import { OnSite } from "./OnSite.tsx";
import type { TabId } from "./setting-fields.ts";
import { useSettings } from "./setting-scope.ts";
import css from "./settings.module.css";

/** Loaded when it is opened. */
const FormsTab = lazy(async () => ({ default: (await import("./forms/FormsTab.tsx")).FormsTab }));

export function SettingTab({ tab }: { tab: Exclude<TabId, "danger"> }) {
  const Tab = tabs[tab];
  return (
    <Suspense>
      <Tab />
    </Suspense>
  );
}

function General() {
  const { collection } = useSettings();
  return (
    <>
      <Field path="name" />
      <Field path="description" />
      <div className={css.pair}>
        <Field path="labelSingular" />
        <Field path="labelPlural" />
      </div>
      <Field path="category" />
      <Field path="schema" />
      <div className={css.pair}>
        <Field path="sortBy" />
        <div className={css.beside}>
          <Field path="reverseSort" />
        </div>
      </div>
      <Field path="singleton" />
      <HistoryField />
      {collection.id === "auth" && <Field path="requireEmailVerification" />}
    </>
  );
}

/** A word, or an object that also says how long: then its mode. */
function HistoryField() {
  const { store } = useFormScope();
  return <Field path={isJsonObject(useBase(store, "history")) ? "history.mode" : "history"} />;
}

function Address() {
  return (
    <>
      <Field path="url" />
      <Field path="prettyUrl" />
      <OnSite />
    </>
  );
}

function Access() {
  const words = useWords(settingsWords);
  const groups = useQuery({
    queryKey: ["options", "groups"],
    queryFn: ({ signal }) => askData<Option[]>(routes.options, { path: { source: "groups" }, signal }),
  });
  return (
    <>
      <Ticks
        path="publicOperations"
        help={words.publicHelp}
        options={operations.map((value) => ({ value, label: words.operations[value] }))}
      />
      {groups.error ? (
        <Failed error={groups.error} onRetry={() => void groups.refetch()} />
      ) : (
        <Ticks path="groups" help={words.groupsHelp} options={groups.data ?? []} none={groups.data && words.noGroups} />
      )}
      <Field path="publicFiles" />
    </>
  );
}

function Form() {
  const words = useWords(settingsWords);
  const { schema } = useSettings();
  const names = Object.keys(schema.properties).filter((name) => schema.properties[name]?.hide !== true);
  return (
    <>
      <Field path="formSettings.helpStyle" />
      <Field path="formSettings.helpOnHover" />
      <Field path="formSettings.helpOnFocus" />
      <Part title={words.labelsTitle} help={words.labelsHelp}>
        <ul className={css.overrides}>
          <li className={css.overrideHead} aria-hidden="true">
            <span>{words.property}</span>
            <span>{words.label}</span>
            <span>{words.helpText}</span>
          </li>
          {names.map((name) => (
            <Override key={name} name={name} />
          ))}
        </ul>
      </Part>
      <Part title={words.overridesTitle}>
        <JsonSetting path="properties" />
        <JsonSetting path="customProperties" />
      </Part>
    </>
  );
}

/** Label and help of one property. */
function Override({ name }: { name: string }) {
  const words = useWords(settingsWords);
  const { schema } = useSettings();
  const { label, help } = schema.properties[name] ?? {};
  return (
    <li className={css.override}>
      <code className={css.property}>{name}</code>
      <OverrideText
        path={`properties.${name}.label`}
        label={words.labelOf(name)}
        placeholder={label || humanise(name)}
      />
      <OverrideText path={`properties.${name}.help`} label={words.helpOf(name)} placeholder={help || words.noHelp} />
    </li>
  );
}

function OverrideText({ path, label, placeholder }: { path: string; label: string; placeholder: string }) {
  const { store } = useFormScope();
  const { value } = useFieldState(store, path);
  return (
    <div data-property={path}>
      <TextInput
        label={label}
        isLabelHidden
        value={typeof value === "string" ? value : ""}
        onChange={(next) => store.set(path, next === "" ? undefined : next)}
        placeholder={placeholder}
        autoComplete="off"
      />
    </div>
  );
}

function Sitemap() {
  return (
    <>
      <Field path="sitemap.enabled" />
      <div className={css.pair}>
        <Field path="sitemap.frequency" />
        <Field path="sitemap.priority" />
      </div>
      <Field path="sitemap.date" />
      <Field path="sitemap.include" />
      <Field path="sitemap.exclude" />
    </>
  );
}

function Mcp() {
  return (
    <>
      <Field path="mcp.access" />
      <Field path="mcp.description" />
      <Field path="mcp.resource" />
      <JsonSetting path="mcp.tools" />
    </>
  );
}

const tabs = {
  ...{ general: General, address: Address, access: Access, form: Form },
  ...{ forms: FormsTab, sitemap: Sitemap, mcp: Mcp },
};

function Field({ path }: { path: string }) {
  const property = useSettings().fields[path];
  return property && <FormField property={property} />;
}

function Part({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <section className={css.part}>
      <h2 className={css.title}>{title}</h2>
      {help && <p className={css.help}>{help}</p>}
      {children}
    </section>
  );
}

interface TicksProps {
  path: string;
  help: string;
  options: readonly Pick<Option, "value" | "label">[];
  /** Shown where there are no options. */
  none?: string | undefined;
}

/** A list of words, each with a tick. */
function Ticks({ path, help, options, none }: TicksProps) {
  const words = useWords(settingsWords);
  const id = useId();
  const { store } = useFormScope();
  const { value, error, isDirty } = useFieldState(store, path);
  const chosen = Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  // A word that is no longer among the options can be taken away.
  const gone = chosen.filter((one) => !options.some((option) => option.value === one));
  const all = [...options, ...gone.map((one) => ({ value: one, label: one }))];
  const label = words.labels[path] ?? path;
  const set = (word: string, isSelected: boolean) =>
    store.set(
      path,
      all.map((option) => option.value).filter((one) => (one === word ? isSelected : chosen.includes(one))),
    );
  return (
    <fieldset className={css.ticks} data-property={path} aria-describedby={`${id}-help`} tabIndex={-1}>
      <legend className={css.legend}>{label}</legend>
      <Extra label={label} isDirty={isDirty} onUndo={() => store.undo(path)} length={0} maxLength={undefined} />
      <p id={`${id}-help`} className={css.help}>
        {help}
      </p>
      {all.map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          isSelected={chosen.includes(option.value)}
          onChange={(isSelected) => set(option.value, isSelected)}
        />
      ))}
      {all.length === 0 && none && <p className={css.help}>{none}</p>}
      {error && <p className={css.error}>{error}</p>}
    </fieldset>
  );
}

function JsonSetting({ path }: { path: string }) {
  const words = useWords(settingsWords);
  const { texts, onText } = useSettings();
  const { store } = useFormScope();
  const { value, error } = useFieldState(store, path);
  return (
    <div data-property={path}>
      <TextArea
        label={words.labels[path] ?? path}
        description={words.help[path]}
        value={texts[path] ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
        onChange={(text) => onText(path, text)}
        error={error}
        isMono
        rows={4}
        spellCheck={false}
      />
    </div>
  );
}
