// The forms of a collection: made, changed and removed with the other settings, stored by Save.

import { isJsonObject } from "@contract/json.ts";
import { useQuery } from "@tanstack/react-query";
import { Plus, ShieldX, Trash2 } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { Extra } from "#fields/frame.tsx";
import type { FieldProperty } from "#fields/property.ts";
import { FormField } from "#form/FormField.tsx";
import { useFieldState, useFormScope } from "#form/form-context.ts";
import { useSettings } from "#pages/collections/settings/setting-scope.ts";
import css from "#pages/collections/settings/settings.module.css";
import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Select } from "#ui/Select.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { formSettingsWords } from "#words/form-settings.ts";
import { useWords } from "#words/language.ts";
import { FormActions } from "./FormActions.tsx";
import { FormFiles } from "./FormFiles.tsx";
import { formFields, isFormName, partsOf, takesForms } from "./form-fields.ts";
import { Rejected } from "./Rejected.tsx";
import { siteFormsQuery } from "./rejected-calls.ts";

export function FormsTab() {
  const words = useWords(formSettingsWords);
  const { collection } = useSettings();
  const { store } = useFormScope();
  const { value } = useFieldState(store, "forms");
  const names = isJsonObject(value) ? Object.keys(value) : [];
  const [chosen, setChosen] = useState("");
  const [isMaking, setIsMaking] = useState(false);
  const shown = names.includes(chosen) ? chosen : names[0];
  if (!takesForms(collection.id, collection.schema)) return <Notice tone="info">{words.closed}</Notice>;
  return (
    <>
      <p className={css.help}>{words.intro}</p>
      {shown === undefined ? (
        <EmptyState
          title={words.none}
          text={words.noneText}
          action={
            <Button icon={Plus} onPress={() => setIsMaking(true)}>
              {words.newForm}
            </Button>
          }
        />
      ) : (
        <>
          <div className={css.chooser}>
            {names.length > 1 && (
              <Select
                label={words.forms}
                value={shown}
                onChange={setChosen}
                options={names.map((name) => ({ value: name, label: name }))}
              />
            )}
            <Button icon={Plus} onPress={() => setIsMaking(true)}>
              {words.newForm}
            </Button>
          </div>
          <OneForm key={shown} name={shown} />
        </>
      )}
      {isMaking && (
        <NewForm
          names={names}
          onClose={() => setIsMaking(false)}
          onMade={(name) => {
            store.set(`forms.${name}`, { enabled: true, access: "public", fields: [] });
            setChosen(name);
            setIsMaking(false);
          }}
        />
      )}
    </>
  );
}

function OneForm({ name }: { name: string }) {
  const words = useWords(formSettingsWords);
  const { copied } = useWords(commonWords);
  const { collection, schema } = useSettings();
  const { store } = useFormScope();
  const heading = useId();
  const { isDirty, error } = useFieldState(store, `forms.${name}`);
  const parts = useMemo(() => partsOf(schema), [schema]);
  const fields = useMemo(() => formFields(name, words, parts), [name, words, parts]);
  const field = (part: string) => fields[part] && <FormField property={fields[part]} />;
  const tag = `{% form "${collection.id}/${name}" %}{{ form | fields }}<button>Send</button>{% endform %}`;
  return (
    <section className={css.form} aria-labelledby={heading} data-property={`forms.${name}`} tabIndex={-1}>
      <div className={css.formHead}>
        <h2 id={heading} className={css.title}>
          {words.form(name)}
        </h2>
        <Extra
          label={words.form(name)}
          isDirty={isDirty}
          onUndo={() => store.undo(`forms.${name}`)}
          length={0}
          maxLength={undefined}
        />
        <span className={css.formButtons}>
          <RejectedButton collection={collection.id} name={name} />
          <Button variant="quiet" icon={Trash2} onPress={() => store.set(`forms.${name}`, undefined)}>
            {words.remove(name)}
          </Button>
        </span>
      </div>
      {error && <p className={css.error}>{error}</p>}
      <div className={css.tag}>
        <span className={css.help}>{words.tag}</span>
        <code>{tag}</code>
        <CopyButton text={tag} label={words.copyTag(name)} copiedLabel={copied} isIconOnly />
      </div>
      {field("enabled")}
      {field("fields")}
      <Lacking path={`forms.${name}.fields`} fields={parts.fields} />
      {field("access")}
      <Part title={words.after}>
        {field("message")}
        {field("redirect")}
        {field("notify")}
      </Part>
      <Part title={words.actions} help={words.actionsText}>
        <FormActions path={`forms.${name}.actions`} fields={parts.fields} />
      </Part>
      {parts.files.length > 0 && (
        <Part title={words.files} help={words.filesText}>
          <FormFiles form={name} files={parts.files} />
        </Part>
      )}
      <Part title={words.spam} help={words.spamText}>
        {field("guard.links")}
        {field("guard.words")}
        {field("guard.challenge")}
      </Part>
    </section>
  );
}

/** Without a property that is required no sending can be stored. */
function Lacking({ path, fields }: { path: string; fields: readonly FieldProperty[] }) {
  const words = useWords(formSettingsWords);
  const { store } = useFormScope();
  const { value } = useFieldState(store, path);
  const chosen = Array.isArray(value) ? value : [];
  const lacking = fields.filter(
    ({ name, isRequired, lock, definition }) =>
      isRequired && lock === undefined && definition.default === undefined && !chosen.includes(name),
  );
  if (lacking.length === 0) return null;
  return <Notice tone="warn">{words.lacking(lacking.map(({ label }) => label).join(", "))}</Notice>;
}

function Part({ title, help, children }: { title: string; help?: string; children: React.ReactNode }) {
  return (
    <section className={css.part}>
      <h3 className={css.title}>{title}</h3>
      {help && <p className={css.help}>{help}</p>}
      {children}
    </section>
  );
}

function RejectedButton({ collection, name }: { collection: string; name: string }) {
  const words = useWords(formSettingsWords);
  const [isOpen, setIsOpen] = useState(false);
  const forms = useQuery(siteFormsQuery);
  const stored = forms.data?.find((form) => form.collection === collection && form.name === name);
  // A form that is not stored has rejected nothing.
  if (!stored) return null;
  return (
    <>
      <Button variant="quiet" icon={ShieldX} onPress={() => setIsOpen(true)}>
        {words.rejected(stored.rejected)}
      </Button>
      {isOpen && <Rejected collection={collection} name={name} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface NewFormProps {
  names: readonly string[];
  onClose: () => void;
  onMade: (name: string) => void;
}

function NewForm({ names, onClose, onMade }: NewFormProps) {
  const words = useWords(formSettingsWords);
  const { cancel } = useWords(commonWords);
  const [name, setName] = useState("");
  const [problem, setProblem] = useState("");
  const submit = () => {
    const wanted = name.trim();
    const wrong = !isFormName(wanted) ? words.nameWrong : names.includes(wanted) ? words.nameTaken : "";
    setProblem(wrong);
    if (wrong === "") onMade(wanted);
  };
  return (
    <Dialog
      title={words.newForm}
      size="small"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onPress={onClose}>{cancel}</Button>
          <Button variant="primary" type="submit">
            {words.create}
          </Button>
        </>
      }
    >
      <TextInput
        label={words.name}
        description={words.nameHelp}
        value={name}
        onChange={setName}
        error={problem}
        autoComplete="off"
        isMono
        isRequired
        autoFocus
      />
    </Dialog>
  );
}
