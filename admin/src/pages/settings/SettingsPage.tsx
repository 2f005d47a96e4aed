// The settings of the installation, a section at a time, with a search over all of them.

import type { SettingState } from "@contract/settings.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { findKept } from "#form/use-kept.ts";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { SearchInput } from "#ui/SearchInput.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { useWords } from "#words/language.ts";
import { settingTextWords } from "#words/setting-texts.ts";
import { siteSettingsWords } from "#words/site-settings.ts";
import { SectionEditor, type SectionProps } from "./SectionEditor.tsx";
import { findSettings, inWords, keptSettings } from "./setting-values.ts";
import css from "./settings.module.css";

export function SettingsPage() {
  const { section } = useParams({ strict: false }) as { section?: string };
  const words = useWords(siteSettingsWords);
  const texts = useWords(settingTextWords);
  const can = useCan();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const isAllowed = can("read", "admin");
  const settings = useQuery({
    queryKey: ["site-settings"],
    queryFn: ({ signal }) => askData<SettingState[]>(routes.settings, { signal }),
    enabled: isAllowed,
  });
  const isSlow = useDelayed(settings.isPending, 300);
  const text = search.search ?? "";
  const find = (next: string) =>
    void navigate({
      to: ".",
      search: next === "" ? {} : { search: next },
      state: { keepFocus: true },
      replace: true,
      resetScroll: false,
    } as never);
  const name = section === undefined ? words.title : (words.sectionNames[section] ?? section);
  const breadcrumbs = section === undefined ? [] : [{ label: words.title, to: "/admin/settings" as const }];
  if (!settings.data)
    return (
      <Page title={name} breadcrumbs={breadcrumbs} needs={isAllowed} isBusy={settings.isPending}>
        {settings.isError ? (
          <Failed error={settings.error} onRetry={() => void settings.refetch()} />
        ) : (
          isSlow && <Skeleton height="20rem" />
        )}
      </Page>
    );
  const all = settings.data.map((setting) => inWords(setting, texts));
  const own = all.filter((setting) => setting.section === section);
  const frame = (content: ReactNode) => (
    <div className={css.columns}>
      <div className={css.aside}>
        <SearchInput label={words.find} isLabelHidden placeholder={words.find} value={text} onChange={find} />
        {(section !== undefined || text !== "") && <SectionLinks settings={all} section={section} />}
      </div>
      <div className={css.main}>
        {text === "" ? content : <Found settings={findSettings(all, text)} onClear={() => find("")} />}
      </div>
    </div>
  );
  if (section !== undefined && own.length > 0)
    return (
      <Section key={section} section={section} name={name} settings={own} breadcrumbs={breadcrumbs} frame={frame} />
    );
  return (
    <Page title={section === undefined ? words.title : words.missingTitle} breadcrumbs={breadcrumbs}>
      {frame(section === undefined ? <Overview settings={all} /> : null)}
    </Page>
  );
}

/** With its tag, and with what was typed and not saved. */
function Section(props: Omit<SectionProps, "opened">) {
  const { section, name, breadcrumbs, frame } = props;
  const { user } = useStart();
  const queries = useQueryClient();
  const opened = useQuery({
    queryKey: ["site-settings", section],
    queryFn: async ({ signal }) => {
      const [{ etag }, kept] = await Promise.all([
        ask(routes.settingsSection, { path: { section }, signal }),
        findKept({ user: user.id, collection: keptSettings, id: section }),
      ]);
      // After the tag: what is read here is at least as new.
      const all = await askData<SettingState[]>(routes.settings, { signal });
      queries.setQueryData(["site-settings"], all);
      return { etag, kept, settings: all.filter((setting) => setting.section === section) };
    },
    // What is typed must not change because somebody looks at another window.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false },
  });
  if (opened.data) return <SectionEditor {...props} opened={opened.data} />;
  return (
    <Page title={name} breadcrumbs={breadcrumbs} isBusy={opened.isPending}>
      {frame(opened.isError && <Failed error={opened.error} onRetry={() => void opened.refetch()} />)}
    </Page>
  );
}

function SectionLinks({ settings, section }: { settings: SettingState[]; section: string | undefined }) {
  const words = useWords(siteSettingsWords);
  return (
    <nav aria-label={words.sections}>
      <ul className={css.links}>
        {sectionsOf(settings).map((one) => (
          <li key={one}>
            <TextLink
              to="/admin/settings/$section"
              params={{ section: one }}
              className={one === section ? css.current : css.link}
              aria-current={one === section ? "page" : undefined}
            >
              {words.sectionNames[one] ?? one}
            </TextLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function sectionsOf(settings: readonly SettingState[]): string[] {
  return [...new Set(settings.map(({ section }) => section))];
}

/** All sections: how many settings each has, and how many of them are saved. */
function Overview({ settings }: { settings: SettingState[] }) {
  const words = useWords(siteSettingsWords);
  return (
    <Slab>
      <nav aria-label={words.sections}>
        <ul className={css.overview}>
          {sectionsOf(settings).map((section) => {
            const own = settings.filter((setting) => setting.section === section);
            const saved = own.filter(({ source }) => source === "saved").length;
            return (
              <li key={section}>
                <TextLink to="/admin/settings/$section" params={{ section }}>
                  {words.sectionNames[section] ?? section}
                </TextLink>
                <span className={css.quiet}>
                  {words.count(own.length)}
                  {saved > 0 && ` · ${words.savedCount(saved)}`}
                </span>
              </li>
            );
          })}
        </ul>
      </nav>
    </Slab>
  );
}

function Found({ settings, onClear }: { settings: SettingState[]; onClear: () => void }) {
  const words = useWords(siteSettingsWords);
  if (settings.length === 0)
    return (
      <EmptyState
        title={words.noMatchTitle}
        action={<Button onPress={onClear}>{words.clearSearch}</Button>}
        drawing={null}
      />
    );
  return (
    <Slab>
      <ul className={css.overview} aria-label={words.results}>
        {settings.map(({ key, section, label, about }) => (
          <li key={key} className={css.found}>
            <TextLink to="/admin/settings/$section" params={{ section }} search={{ setting: key }}>
              {label}
            </TextLink>
            <code className={css.key}>{key}</code>
            <span className={css.quiet}>{about}</span>
          </li>
        ))}
      </ul>
    </Slab>
  );
}
