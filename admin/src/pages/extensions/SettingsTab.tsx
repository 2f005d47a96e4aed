// The settings of an extension, drawn from its schema. Secrets are typed and never shown.

import type { ExtensionDetails } from "@contract/extensions.ts";
import type { JsonObject } from "@contract/json.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { beginEditing, type Stored } from "#form/editing/begin.ts";
import { EditingNotices, EditingQuestions, EditingState, SaveButton } from "#form/editing/EditingParts.tsx";
import { plainProperty } from "#form/editing/plain-property.ts";
import { useEditing } from "#form/editing/use-editing.ts";
import { FormScopeContext } from "#form/form-context.ts";
import type { KeptEntry } from "#form/kept.ts";
import { findKept } from "#form/use-kept.ts";
import { useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { extensionsWords } from "#words/extensions.ts";
import { useWords } from "#words/language.ts";
import { placeOf, refreshExtensions } from "./extension-calls.ts";
import css from "./extensions.module.css";
import { SettingControl } from "./SettingControl.tsx";
import { keptExtensions, readTyped, settingsOf, typedOf } from "./settings-form.ts";

interface Opened {
  values: JsonObject;
  etag: string;
}

async function fetchSettings(id: string, signal?: AbortSignal): Promise<Opened> {
  const { data, etag } = await ask<JsonObject>(routes.extensionSettings, { path: placeOf(id), signal });
  return { values: data, etag };
}

export function SettingsTab({ extension }: { extension: ExtensionDetails }) {
  const { id } = extension;
  const { user } = useStart();
  const opened = useQuery({
    queryKey: ["extension-settings", id],
    queryFn: async ({ signal }) => {
      const [stored, kept] = await Promise.all([
        fetchSettings(id, signal),
        findKept({ user: user.id, collection: keptExtensions, id }),
      ]);
      return { stored, kept };
    },
    // What is typed must not change because somebody looks at another window.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false },
  });
  if (opened.isError) return <Failed error={opened.error} onRetry={() => void opened.refetch()} />;
  if (!opened.data) return <Skeleton height="12rem" />;
  return <SettingsForm extension={extension} {...opened.data} />;
}

interface FormProps {
  extension: ExtensionDetails;
  stored: Opened;
  kept: KeptEntry | undefined;
}

function SettingsForm({ extension, stored, kept }: FormProps) {
  const words = useWords(extensionsWords);
  const queries = useQueryClient();
  const { id, name } = extension;
  const schema = extension.settingsSchema ?? {};
  const [values, setValues] = useState(stored.values);
  const settings = settingsOf(schema, values);
  const formOf = ({ values: held, etag }: Opened): Stored => ({ values: typedOf(settings, held), etag });
  const [{ store, began }] = useState(() => beginEditing(formOf(stored), kept));
  const labelOf = (path: string) => settings.find((setting) => setting.path === path)?.label ?? path;
  const take = (next: Opened) => {
    setValues(next.values);
    return formOf(next);
  };
  const edited = useEditing({
    ...{ store, began, isNew: false, kept, labelOf, place: { collection: keptExtensions, id } },
    read: async () => take(await fetchSettings(id)),
    title: () => words.settingsOf(name),
    isSecret: (path) => settings.find((setting) => setting.path === path)?.control === "secret",
    check: () => {
      const { problems } = readTyped(settings, values, store.changes());
      return { problems: new Map([...problems].map(([{ path }, problem]) => [path, words[problem]])) };
    },
    send: async (changes, etag) => {
      const { body } = readTyped(settings, values, changes);
      await ask(routes.saveExtensionSettings, { path: placeOf(id), body, ...(etag !== "" && { ifMatch: etag }) });
      await refreshExtensions(queries);
      return take(await fetchSettings(id));
    },
    placeError: (key, texts) => {
      const known = settings.find((setting) => key === setting.key || key.startsWith(`${setting.key}.`));
      return [known?.path ?? key, `${known?.label ?? key} ${texts.join(". ")}`];
    },
  });
  if (settings.length === 0) return <p>{words.noSettings}</p>;
  return (
    <FormScopeContext value={edited.scope}>
      <form
        className={css.settings}
        noValidate
        aria-label={words.settingsOf(name)}
        onSubmit={(event) => {
          event.preventDefault();
          void edited.save();
        }}
      >
        <EditingNotices edited={edited} labelOf={labelOf} onGo={focusSetting} />
        <Slab className={css.stack}>
          {settings.map((setting) => (
            <SettingControl key={setting.key} setting={setting} store={store} />
          ))}
        </Slab>
        <div className={css.bar}>
          <EditingState edited={edited} />
          <SaveButton edited={edited} />
        </div>
      </form>
      <EditingQuestions edited={edited} propertyOf={(path) => plainProperty(path, labelOf(path), { isText: false })} />
    </FormScopeContext>
  );
}

function focusSetting(path: string): void {
  const frame = document.querySelector<HTMLElement>(`[data-property="${CSS.escape(path)}"]`);
  frame?.querySelector<HTMLElement>("input, textarea")?.focus();
  frame?.scrollIntoView({ block: "center" });
}
