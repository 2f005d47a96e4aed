// One section of the settings: what is typed, saved and reset, and the test that belongs to it.

import type { JsonObject } from "@contract/json.ts";
import type { SettingState } from "@contract/settings.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Save } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { ErrorSummary, type Refusal } from "#form/ErrorSummary.tsx";
import { useSummary } from "#form/form-context.ts";
import { LeaveGuard } from "#form/LeaveGuard.tsx";
import { SaveBar } from "#form/SaveBar.tsx";
import { SaveState } from "#form/SaveState.tsx";
import { createFormStore } from "#form/store.ts";
import { useCommand } from "#session/commands.ts";
import { startQuery } from "#session/start.ts";
import { errorText } from "#shell/LoadState.tsx";
import { type Crumb, Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { commonWords } from "#words/common.ts";
import { formWords } from "#words/form.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { siteSettingsWords } from "#words/site-settings.ts";
import { SettingField } from "./SettingField.tsx";
import { formOf, pathOf, readTyped } from "./setting-values.ts";
import css from "./settings.module.css";

interface Props {
  section: string;
  name: string;
  settings: SettingState[];
  breadcrumbs: Crumb[];
  /** Draws the links of all sections around it. */
  frame: (content: ReactNode) => ReactNode;
}

const SectionTest = lazy(() => import("./SectionTest.tsx").then((part) => ({ default: part.SectionTest })));

const noRefusal: Refusal = { attempt: 0, text: "", requestId: "" };

export function SectionEditor({ section, name, settings, breadcrumbs, frame }: Props) {
  const words = useWords(siteSettingsWords);
  const ofForms = useWords(formWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const search = useSearch({ strict: false }) as Search;
  const isSmall = useMediaQuery("(max-width: 639px)");
  const [store] = useState(() => createFormStore(formOf(settings)));
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState(noRefusal);
  const running = useRef<Promise<boolean>>(undefined);
  const { errors } = useSummary(store);
  const byPath = new Map(settings.map((setting) => [pathOf(setting.key), setting]));
  const shortOf = (key: string) => (section === "general" ? key : key.slice(section.length + 1));

  useEffect(() => {
    if (search.setting !== undefined) focusSetting(pathOf(search.setting));
  }, [search.setting]);

  const refuse = (text: string, requestId = "") => {
    setRefusal(({ attempt }) => ({ attempt: attempt + 1, text, requestId }));
    return false;
  };
  const put = async (body: JsonObject, sent?: JsonObject) => {
    await askData(routes.changeSettings, { path: { section }, body });
    const all = await askData<SettingState[]>(routes.settings);
    store.rebase(formOf(all.filter((setting) => setting.section === section)), sent);
    queries.setQueryData(["site-settings"], all);
    void queries.invalidateQueries({ queryKey: startQuery.queryKey });
  };
  const show = (error: unknown) => {
    const details = error instanceof ApiError ? Object.entries(error.details) : [];
    const placed = details.map(([key, texts]): [string, string] => {
      const known = settings.find((setting) => key === setting.key || key.startsWith(`${setting.key}.`));
      const text = texts.join(". ");
      return [pathOf(known?.key ?? key), `${known?.label ?? key} ${text}`];
    });
    store.setErrors(new Map(placed));
    const { text, requestId } = errorText(error, common);
    return details.length > 0 ? refuse("") : refuse(text, requestId);
  };
  const trySave = async (): Promise<boolean> => {
    const found = new Map<string, string>();
    const body: JsonObject = {};
    const sent = store.changes();
    for (const [path, typed] of Object.entries(sent)) {
      const setting = byPath.get(path);
      if (!setting) continue;
      const read = readTyped(setting, typed);
      if ("value" in read) body[shortOf(setting.key)] = read.value;
      else
        found.set(
          path,
          {
            notANumber: words.notANumber,
            notWhole: words.notWhole,
            notAnObject: words.notAnObject,
            tooSmall: words.tooSmall(formatNumber(setting.min ?? 0)),
            tooLarge: words.tooLarge(formatNumber(setting.max ?? 0)),
          }[read.problem],
        );
    }
    store.setErrors(found);
    if (found.size > 0) return refuse("");
    if (Object.keys(sent).length === 0) {
      setRefusal(noRefusal);
      toast.good(ofForms.nothingToSave);
      return true;
    }
    setIsSaving(true);
    try {
      await put(body, sent);
      setRefusal(noRefusal);
      toast.good(ofForms.saved);
      return true;
    } catch (error) {
      return show(error);
    } finally {
      setIsSaving(false);
    }
  };
  /** One at a time. */
  const save = (): Promise<boolean> => {
    running.current ??= trySave().finally(() => {
      running.current = undefined;
    });
    return running.current;
  };
  const reset = async ({ key, label }: SettingState) => {
    try {
      store.undo(pathOf(key));
      await put({ [shortOf(key)]: null });
      toast.good(words.resetDone(label));
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
  };

  useShortcut("mod+s", ofForms.save, () => void save());
  useCommand({ id: "save", label: ofForms.save, shortcut: "Ctrl+S", run: () => void save() });

  const links = [...errors].map(([path, text]) => ({ path, label: byPath.get(path)?.label ?? path, text }));
  const buttons = (
    <>
      <SaveState store={store} isNew={false} isSaving={isSaving} refusal={refusal} isUnkept={false} />
      <Suspense fallback={null}>
        <SectionTest section={section} store={store} />
      </Suspense>
      <Button variant="primary" icon={Save} isPending={isSaving} onPress={() => void save()}>
        {ofForms.save}
      </Button>
    </>
  );
  return (
    <Page title={name} breadcrumbs={breadcrumbs} actions={!isSmall && buttons}>
      {frame(
        <div className={css.stack}>
          {refusal.attempt > 0 && (links.length > 0 || refusal.text !== "") && (
            <ErrorSummary refusal={refusal} links={links} onGo={focusSetting} />
          )}
          <Slab className={css.slab}>
            {settings.map((setting) => (
              <SettingField key={setting.key} setting={setting} store={store} onReset={() => void reset(setting)} />
            ))}
          </Slab>
        </div>,
      )}
      {isSmall && <SaveBar>{buttons}</SaveBar>}
      <LeaveGuard unsaved={() => store.summary().dirty.length} text={ofForms.leaveTextUnkept} onSave={save} />
    </Page>
  );
}

function focusSetting(path: string): void {
  const frame = document.querySelector<HTMLElement>(`[data-property="${CSS.escape(path)}"]`);
  const control = frame?.querySelector<HTMLElement>("input, textarea");
  control?.focus();
  frame?.scrollIntoView({ block: "center" });
}
