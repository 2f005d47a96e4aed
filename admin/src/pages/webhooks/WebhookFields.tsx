// What a webhook consists of: its name and address, the events and the collections.

import { webhookEvents } from "@contract/webhooks.ts";
import { lazy, type ReactNode, Suspense } from "react";
import { useFieldState } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";
import { useStart } from "#session/start.ts";
import { Checkbox } from "#ui/Checkbox.tsx";
import { CheckboxGroup } from "#ui/CheckboxGroup.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Switch } from "#ui/Switch.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { webhookWords } from "#words/webhooks.ts";
import { coveredBy, everything, isEverything } from "./events.ts";
import { HeadersField } from "./HeadersField.tsx";
import { isPrivateAddress } from "./private-address.ts";
import css from "./webhooks.module.css";

const MultiSelect = lazy(() => import("#ui/MultiSelect.tsx").then((part) => ({ default: part.MultiSelect })));

export function WebhookFields({ store }: { store: FormStore }) {
  const words = useWords(webhookWords);
  const { collections } = useStart();
  const name = useFieldState(store, "name");
  const url = useFieldState(store, "url");
  const events = useFieldState(store, "events");
  const chosen = useFieldState(store, "collections");
  const active = useFieldState(store, "active");
  const eventList = (events.value ?? []) as string[];
  const chosenList = (chosen.value ?? []) as string[];
  const isAll = isEverything(eventList);
  return (
    <>
      <Field path="name">
        <TextInput
          label={words.name}
          description={words.nameHelp}
          value={String(name.value ?? "")}
          onChange={(value) => store.set("name", value)}
          error={name.error}
          autoComplete="off"
          maxLength={200}
        />
      </Field>
      <Field path="url">
        <TextInput
          label={words.address}
          description={words.addressHelp}
          value={String(url.value ?? "")}
          onChange={(value) => store.set("url", value.trim())}
          onBlur={() => store.touch("url")}
          error={url.error}
          isRequired
          isMono
          type="url"
          autoComplete="off"
          spellCheck={false}
        />
        {isPrivateAddress(String(url.value ?? "")) && <Notice tone="warn">{words.privateAddress}</Notice>}
      </Field>
      <Field path="events">
        <CheckboxGroup
          label={words.events}
          description={words.eventsHelp}
          value={coveredBy(eventList)}
          onChange={(value) => store.set("events", value)}
          options={webhookEvents.map((event) => ({ value: event, label: words.eventNames[event] ?? event }))}
          columns="12rem"
          isDisabled={isAll}
          error={events.error}
        />
        <Checkbox
          label={words.allEvents}
          isSelected={isAll}
          onChange={(isOn) => store.set("events", isOn ? [everything] : [])}
        />
      </Field>
      <Field path="collections">
        <Suspense fallback={null}>
          <MultiSelect
            label={words.collections}
            description={words.collectionsHelp}
            placeholder={words.allCollections}
            chosen={chosenList.map((id) => ({
              value: id,
              label: collections.find((one) => one.id === id)?.name ?? id,
            }))}
            options={collections.map(({ id, name: label }) => ({ value: id, label, detail: id }))}
            onChange={(value) => store.set("collections", value)}
            error={chosen.error}
          />
        </Suspense>
      </Field>
      <HeadersField store={store} />
      <Switch label={words.enabled} isSelected={active.value === true} onChange={(isOn) => store.set("active", isOn)} />
    </>
  );
}

function Field({ path, children }: { path: string; children: ReactNode }) {
  return (
    <div data-property={path} className={css.field}>
      {children}
    </div>
  );
}
