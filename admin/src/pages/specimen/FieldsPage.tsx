// Every field kind, empty, filled, wrong and read-only. Not linked, like the specimen of the parts.

import type { AdminStart } from "@contract/admin.ts";
import type { Json, JsonObject } from "@contract/json.ts";
import { fieldKinds, type PropertyDefinition } from "@contract/schemas.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import type { FieldContext } from "#fields/field-kind.ts";
import { otherField } from "#fields/other.tsx";
import { readProperty } from "#fields/property.ts";
import { fieldKindOf } from "#fields/registry.ts";
import { FormField } from "#form/FormField.tsx";
import { FormScopeContext } from "#form/form-context.ts";
import { createFormStore } from "#form/store.ts";
import { startQuery } from "#session/start.ts";
import { Toasts } from "#ui/Toasts.tsx";
import { Group } from "./Group.tsx";
import css from "./SpecimenPage.module.css";
import { itemSchemas, type Sample, samples } from "./samples.ts";

/** Another form, so that each state has its own fields. */
const states = ["empty", "filled", "wrong", "read-only"] as const;
type State = (typeof states)[number];

const context: FieldContext = {
  ...{ collection: "specimen", timezone: "UTC", isNew: false, idSource: "", object: "specimen" },
  ...{ locales: ["en", "de"], items: itemSchemas, passwords: ["password-filled"], helpStyle: "", form: "specimen" },
  isStored: () => true,
  takeOver: () => undefined,
};

const nameOf = (kind: string, state: State) => `${kind}-${state}`;

function propertyOf(kind: string, { definition }: Sample, state: State) {
  const name = nameOf(kind, state);
  const own: PropertyDefinition = {
    ...definition,
    field: kind,
    label: `${kind} field, ${state}`,
    help: "What it is for.",
  };
  return readProperty({ id: "specimen", properties: { [name]: own }, required: [], index: [] }, name, kind === "id");
}

function makeStore() {
  const values: JsonObject = {};
  const errors = new Map<string, string>();
  for (const [kind, { value, wrong }] of Object.entries(samples)) {
    if (value !== undefined) for (const state of states.slice(1)) values[nameOf(kind, state as State)] = value as Json;
    errors.set(nameOf(kind, "wrong"), wrong);
  }
  const store = createFormStore(values);
  store.setErrors(errors);
  return store;
}

/** The page needs no session; fields that ask about the site find one made up. */
function makeClient() {
  const client = new QueryClient();
  const site = { name: "Specimen", url: "", timezone: "UTC", locales: ["en", "de"], maxUploadSize: 2_000_000 };
  const extensions = { pages: [], fields: [], formActions: [], pageSteps: [] };
  const own = { user: { id: "specimen" }, csrfToken: "", can: { admin: true } };
  const start = { ...own, site, extensions, collections: [], attention: {} };
  client.setQueryData(startQuery.queryKey, start as unknown as AdminStart);
  return client;
}

export function FieldsPage() {
  const [client] = useState(makeClient);
  return (
    <QueryClientProvider client={client}>
      <Fields />
    </QueryClientProvider>
  );
}

function Fields() {
  const [store] = useState(makeStore);
  const scope = { store, field: context, isReadOnly: false };
  return (
    <main className={css.page}>
      <h1>Field kinds</h1>
      {fieldKinds.map((kind) => {
        if (kind === "hidden") return null;
        const sample = samples[kind];
        const hasWidget = fieldKindOf({ kind }) !== otherField;
        return (
          <div key={kind} data-kind={kind} data-widget={hasWidget ? undefined : "none"}>
            <Group title={kind} isWide={sample.isWide ?? false}>
              {states.map((state) => (
                <FormScopeContext key={state} value={{ ...scope, isReadOnly: state === "read-only" }}>
                  <FormField property={propertyOf(kind, sample, state)} />
                </FormScopeContext>
              ))}
            </Group>
          </div>
        );
      })}
      <Toasts label="Notifications" />
    </main>
  );
}
