// One setting: the control of its type, its key, what it means, where its value comes from, and the way back to the standard.

import { adminGroup } from "@contract/access-groups.ts";
import type { Option } from "@contract/admin.ts";
import type { Json } from "@contract/json.ts";
import type { SettingState } from "@contract/settings.ts";
import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { lazy, Suspense, useLayoutEffect, useRef } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useFieldState } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { NumberInput } from "#ui/NumberInput.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { Select } from "#ui/Select.tsx";
import { Switch } from "#ui/Switch.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { siteSettingsWords } from "#words/site-settings.ts";
import { pathOf } from "./setting-values.ts";
import css from "./settings.module.css";

const MultiSelect = lazy(() => import("#ui/MultiSelect.tsx").then((part) => ({ default: part.MultiSelect })));

const RegistrationNote = lazy(() =>
  import("./RegistrationNote.tsx").then((part) => ({ default: part.RegistrationNote })),
);

interface Props {
  setting: SettingState;
  store: FormStore;
  onReset: () => void;
}

export function SettingField({ setting, store, onReset }: Props) {
  const words = useWords(siteSettingsWords);
  const { key, source, label, readAtStart, waits } = setting;
  const frame = useRef<HTMLDivElement>(null);
  // The control itself carries its key, whatever is drawn around it.
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const mark = () => element.querySelector("input, textarea")?.setAttribute("data-setting", key);
    mark();
    const watch = new MutationObserver(mark);
    watch.observe(element, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [key]);
  return (
    <div className={css.setting} data-property={pathOf(key)}>
      <div ref={frame} className={css.control}>
        <Control setting={setting} store={store} />
      </div>
      <div className={css.facts}>
        <code className={css.key}>{key}</code>
        <Badge tone={source === "default" ? "neutral" : source === "saved" ? "accent" : "info"}>
          {words.sources[source]}
        </Badge>
        {waits && <Badge tone="warn">{words.waits}</Badge>}
        {readAtStart && !waits && <span className={css.quiet}>{words.readAtStart}</span>}
        {source === "saved" && (
          <Button variant="quiet" icon={RotateCcw} onPress={onReset}>
            {words.reset(label)}
          </Button>
        )}
      </div>
      {key === "auth.registrationGroups" && (
        <Suspense fallback={null}>
          <RegistrationNote store={store} />
        </Suspense>
      )}
      {source === "flag" && <p className={css.quiet}>{words.flagHelp}</p>}
    </div>
  );
}

function Control({ setting, store }: { setting: SettingState; store: FormStore }) {
  const words = useWords(siteSettingsWords);
  const { key, type, label, about, choices, isSecret, isSet, min, max } = setting;
  const path = pathOf(key);
  const { value, error } = useFieldState(store, path);
  const change = (next: Json) => store.set(path, next);
  const text = String(value ?? "");
  const common = { label, error, description: descriptionOf(setting, words), value: text, onChange: change };
  if (isSecret)
    return (
      <PasswordInput
        {...common}
        description={`${about} ${isSet ? words.isSet : words.notSet}`}
        autoComplete="new-password"
        isUnmanaged
      />
    );
  if (type === "boolean")
    return (
      <Switch
        label={label}
        description={common.description}
        error={error}
        isSelected={value === true}
        onChange={change}
      />
    );
  if (choices && type !== "strings")
    return <Select {...common} options={choices.map((one) => ({ value: one, label: one }))} />;
  if (type === "timezone") return <TimezoneSelect {...common} />;
  if (type === "integer" || type === "number")
    return <NumberInput {...common} {...(min !== undefined && { min })} {...(max !== undefined && { max })} />;
  if (key === "auth.registrationGroups")
    return <GroupsSelect {...common} chosen={Array.isArray(value) ? value.map(String) : []} onChange={change} />;
  if (type === "strings") {
    const list = Array.isArray(value) ? value.map(String) : [];
    return (
      <Suspense fallback={null}>
        <MultiSelect
          label={label}
          description={common.description}
          error={error}
          chosen={list.map((one) => ({ value: one, label: one }))}
          options={(choices ?? []).map((one) => ({ value: one, label: one }))}
          allowsCustomValue={choices === undefined}
          onChange={change}
        />
      </Suspense>
    );
  }
  if (type === "object") return <TextArea {...common} isMono />;
  return <TextInput {...common} autoComplete="off" spellCheck={false} />;
}

function TimezoneSelect(props: { label: string; value: string; onChange: (value: string) => void }) {
  const zones = useQuery({
    queryKey: ["options", "timezones"],
    queryFn: ({ signal }) => askData<Option[]>(routes.options, { path: { source: "timezones" }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <Select {...props} options={zones.data ?? []} isLoading={zones.isPending} />;
}

interface GroupsSelectProps {
  label: string;
  description: string;
  error: string | undefined;
  chosen: readonly string[];
  onChange: (value: string[]) => void;
}

function GroupsSelect({ label, description, error, chosen, onChange }: GroupsSelectProps) {
  const groups = useQuery({
    queryKey: ["options", "groups"],
    queryFn: ({ signal }) => askData<Option[]>(routes.options, { path: { source: "groups" }, signal }),
  });
  return (
    <Suspense fallback={null}>
      <MultiSelect
        label={label}
        description={description}
        error={error}
        chosen={chosen.map((id) => ({ value: id, label: id }))}
        options={(groups.data ?? []).filter(({ value }) => value !== adminGroup)}
        onChange={onChange}
      />
    </Suspense>
  );
}

type Words = ReturnType<typeof useWords<(typeof siteSettingsWords)["en"]>>;

/** What it means, its form, and the standard where another value holds. */
function descriptionOf({ about, type, default: standard, source }: SettingState, words: Words): string {
  const parts = [about];
  if (type === "duration") parts.push(words.durationHelp);
  if (source !== "default" && type !== "object") parts.push(words.standard(shown(standard, words)));
  return parts.join(" ");
}

function shown(value: Json, words: Words): string {
  if (typeof value === "boolean") return value ? words.on : words.off;
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return text === "" ? words.empty : text;
}
