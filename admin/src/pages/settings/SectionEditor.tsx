// One section of the settings: what is typed, saved and reset, and the test that belongs to it.

import type { JsonObject } from "@contract/json.ts";
import type { SettingState } from "@contract/settings.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { beginEditing, type Stored } from "#form/editing/begin.ts";
import { EditingNotices, EditingQuestions, EditingState, SaveButton } from "#form/editing/EditingParts.tsx";
import { plainProperty } from "#form/editing/plain-property.ts";
import { useEditing } from "#form/editing/use-editing.ts";
import { FormScopeContext } from "#form/form-context.ts";
import type { KeptEntry } from "#form/kept.ts";
import { SaveBar } from "#form/SaveBar.tsx";
import { startQuery } from "#session/start.ts";
import { errorText } from "#shell/LoadState.tsx";
import { type Crumb, Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { useRegistrationQuestion } from "#shell/useRegistrationQuestion.tsx";
import { Slab } from "#ui/Slab.tsx";
import { toast } from "#ui/toast.ts";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { commonWords } from "#words/common.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { siteSettingsWords } from "#words/site-settings.ts";
import { SettingField } from "./SettingField.tsx";
import { formOf, keptSettings, pathOf, readTyped, type ValueProblem } from "./setting-values.ts";
import css from "./settings.module.css";

export interface SectionProps {
  section: string;
  name: string;
  settings: SettingState[];
  opened: OpenedSection;
  breadcrumbs: Crumb[];
  /** Draws the links of all sections around it. */
  frame: (content: ReactNode) => ReactNode;
}

export interface OpenedSection {
  settings: SettingState[];
  etag: string;
  kept: KeptEntry | undefined;
}

type Words = (typeof siteSettingsWords)["en"];

const SectionTest = lazy(() => import("./SectionTest.tsx").then((part) => ({ default: part.SectionTest })));

export function SectionEditor({ section, name, settings, opened, breadcrumbs, frame }: SectionProps) {
  const words = useWords(siteSettingsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const search = useSearch({ strict: false }) as Search;
  const registration = useRegistrationQuestion();
  const isSmall = useMediaQuery("(max-width: 639px)");
  const [{ store, began }] = useState(() =>
    beginEditing({ values: formOf(opened.settings), etag: opened.etag }, opened.kept),
  );
  const byPath = new Map(settings.map((setting) => [pathOf(setting.key), setting]));
  const shortOf = (key: string) => (section === "general" ? key : key.slice(section.length + 1));

  useEffect(() => {
    if (search.setting !== undefined) focusSetting(pathOf(search.setting));
  }, [search.setting]);

  const labelOf = (path: string) => byPath.get(path)?.label ?? path;

  /** Puts what was typed into the body that is sent, and what is wrong with it into `problems`. */
  const readAll = (sent: JsonObject, problems: Map<string, string>): JsonObject => {
    const body: JsonObject = {};
    for (const [path, typed] of Object.entries(sent)) {
      const setting = byPath.get(path);
      if (!setting) continue;
      const read = readTyped(setting, typed);
      if ("value" in read) body[shortOf(setting.key)] = read.value;
      else problems.set(path, problemTexts(setting, words)[read.problem]);
    }
    return body;
  };
  /** The tag first: what is read after it is at least as new. */
  const read = async (): Promise<Stored> => {
    const { etag } = await ask(routes.settingsSection, { path: { section } });
    const all = await askData<SettingState[]>(routes.settings);
    queries.setQueryData(["site-settings"], all);
    void queries.invalidateQueries({ queryKey: startQuery.queryKey });
    return { values: formOf(all.filter((setting) => setting.section === section)), etag };
  };
  const edited = useEditing({
    ...{
      store,
      began,
      isNew: false,
      kept: opened.kept,
      place: { collection: keptSettings, id: section },
      labelOf,
      read,
    },
    title: () => words.keptTitle(name),
    isSecret: (path) => byPath.get(path)?.isSecret === true,
    check: () => {
      const problems = new Map<string, string>();
      readAll(store.changes(), problems);
      return { problems };
    },
    send: async (sent, ifMatch) => {
      const body = readAll(sent, new Map());
      await registration.send((query) => ask(routes.changeSettings, { path: { section }, query, body, ifMatch }));
      return read();
    },
    placeError: (key, texts) => {
      const known = settings.find((setting) => key === setting.key || key.startsWith(`${setting.key}.`));
      return [pathOf(known?.key ?? key), `${known?.label ?? key} ${texts.join(". ")}`];
    },
  });
  const reset = async ({ key, label }: SettingState) => {
    try {
      store.undo(pathOf(key));
      const body = { [shortOf(key)]: null };
      await registration.send((query) => ask(routes.changeSettings, { path: { section }, query, body }));
      edited.take(await read());
      toast.good(words.resetDone(label));
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
  };

  const buttons = (
    <>
      <EditingState edited={edited} />
      <Suspense fallback={null}>
        <SectionTest section={section} store={store} />
      </Suspense>
      <SaveButton edited={edited} />
    </>
  );
  return (
    <FormScopeContext value={edited.scope}>
      <Page title={name} breadcrumbs={breadcrumbs} actions={!isSmall && buttons}>
        {frame(
          <div className={css.stack}>
            <EditingNotices edited={edited} labelOf={labelOf} onGo={focusSetting} />
            <Slab className={css.slab}>
              {settings.map((setting) => (
                <SettingField key={setting.key} setting={setting} store={store} onReset={() => void reset(setting)} />
              ))}
            </Slab>
          </div>,
        )}
        {isSmall && <SaveBar>{buttons}</SaveBar>}
      </Page>
      {registration.question}
      <EditingQuestions edited={edited} propertyOf={(path) => plainProperty(path, labelOf(path), { isText: false })} />
    </FormScopeContext>
  );
}

function problemTexts({ min, max }: SettingState, words: Words): Record<ValueProblem, string> {
  return {
    notANumber: words.notANumber,
    notWhole: words.notWhole,
    notAnObject: words.notAnObject,
    tooSmall: words.tooSmall(formatNumber(min ?? 0)),
    tooLarge: words.tooLarge(formatNumber(max ?? 0)),
  };
}

function focusSetting(path: string): void {
  const frame = document.querySelector<HTMLElement>(`[data-property="${CSS.escape(path)}"]`);
  const control = frame?.querySelector<HTMLElement>("input, textarea");
  control?.focus();
  frame?.scrollIntoView({ block: "center" });
}
