// Whether templates of the website may read the collection, and what Save would make public or take away.

import type { CollectionConfig } from "@contract/collections.ts";
import { isOnSite, isOnSiteByDefault, mayBeOnSite } from "@rules/on-site.ts";
import { Extra } from "#fields/frame.tsx";
import { readProperty } from "#fields/property.ts";
import { useFieldState, useFormScope } from "#form/form-context.ts";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Switch } from "#ui/Switch.tsx";
import { formSettingsWords } from "#words/form-settings.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { useSettings } from "./setting-scope.ts";
import css from "./settings.module.css";

const path = "onSite";

export function OnSite() {
  const words = useWords(formSettingsWords);
  const { collection } = useSettings();
  const { store } = useFormScope();
  const { value, isDirty, error } = useFieldState(store, path);
  // It follows the address and the public operations, where nobody has set it.
  useFieldState(store, "url");
  useFieldState(store, "publicOperations");
  const now = settingsIn(store.values());
  if (!mayBeOnSite(collection.id, collection)) return <p className={css.help}>{words.never}</p>;
  const isOn = isOnSite({ id: collection.id, settings: now });
  const isAutomatic = typeof value !== "boolean";
  return (
    <div data-property={path} className={css.stack}>
      <div className={css.switchLine}>
        <Switch
          label={words.onSite}
          description={words.onSiteHelp}
          isSelected={isOn}
          onChange={(next) => store.set(path, next)}
        />
        <Extra
          label={words.onSite}
          isDirty={isDirty}
          onUndo={() => store.undo(path)}
          length={0}
          maxLength={undefined}
        />
      </div>
      {isAutomatic ? (
        <p className={css.help}>{isOnSiteByDefault(now) ? words.onByDefault : words.offByDefault}</p>
      ) : (
        <div>
          <Button variant="quiet" onPress={() => store.set(path, undefined)}>
            {words.automatic}
          </Button>
        </div>
      )}
      {error && <p className={css.error}>{error}</p>}
      <Plan before={isOnSite({ id: collection.id, settings: settingsIn(store.base()) })} after={isOn} now={now} />
    </div>
  );
}

type Settings = Pick<CollectionConfig, "schema" | "publicOperations" | "url" | "onSite">;

function settingsIn(values: object): Settings {
  const { schema = "", publicOperations = [], url = "", onSite } = values as Partial<Settings>;
  return { schema, publicOperations, url, ...(typeof onSite === "boolean" && { onSite }) };
}

function Plan({ before, after, now }: { before: boolean; after: boolean; now: Settings }) {
  const words = useWords(formSettingsWords);
  const { collection, schema } = useSettings();
  if (before === after) return null;
  if (!after)
    return (
      <div role="status">
        <Notice tone="info" title={words.closeTitle}>
          {words.closeText}
        </Notice>
      </div>
    );
  const all = Object.keys(schema.properties).map((name) => readProperty(schema, name, false));
  const secret = all.filter(({ type }) => type === "password");
  const shown = all.filter((property) => !secret.includes(property));
  const names = (list: typeof all) => formatList(list.map(({ label }) => label));
  return (
    <div role="status">
      <Notice tone="warn" title={words.planTitle}>
        <ul className={css.plan}>
          <li>{words.planObjects(collection.count)}</li>
          <li>{words.planProperties(names(shown))}</li>
          {secret.length > 0 && <li>{words.planHidden(names(secret))}</li>}
          <li>{now.url === "" ? words.planNoAddress : words.planAddress(now.url, `pages/${collection.id}`)}</li>
          <li>{words.planFiles}</li>
        </ul>
      </Notice>
    </div>
  );
}
