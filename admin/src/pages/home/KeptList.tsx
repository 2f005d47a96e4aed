// Changes that this person has not saved yet, kept on this device.

import { type KeptEntry, listKept } from "#form/kept.ts";
import { ownPages } from "#pages/collections/own-pages.ts";
import { useStart } from "#session/start.ts";
import { type Target, TextLink } from "#shell/links.tsx";
import type { AdminPath } from "#shell/paths.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { homeWords } from "#words/home.ts";
import { useWords } from "#words/language.ts";
import styles from "./HomePage.module.css";

/** More would hide the rest of Home. */
const most = 8;
/** What is no object of a collection keeps its changes under a name of its own. */
const own: Record<string, { list: string; one: string; param: string }> = {
  templates: { list: "/admin/templates", one: "/admin/templates/$", param: "_splat" },
  "-schemas": { list: "/admin/schemas", one: "/admin/schemas/$id", param: "id" },
  "-access-groups": { list: "/admin/utils/access-groups", one: "/admin/utils/access-groups/$id", param: "id" },
  "-webhooks": { list: "/admin/webhooks", one: "/admin/webhooks/$id", param: "id" },
  "-settings": { list: "/admin/settings", one: "/admin/settings/$section", param: "section" },
};
/** In the place of an id: the settings of a collection. */
const settingsOf = "-settings";

export function KeptList() {
  const words = useWords(homeWords);
  const { user, collections } = useStart();
  const places = [...Object.keys(own), ...Object.keys(ownPages), ...collections.map(({ id }) => id)];
  const kept = readKept(user.id).filter(({ place }) => places.includes(place.collection));
  if (kept.length === 0) return <p className={styles.none}>{words.continueNone}</p>;
  return (
    <ul className={styles.list}>
      {kept.slice(0, most).map(({ place, form, title, changes, at }) => {
        const collection = collections.find(({ id }) => id === place.collection);
        const isNew = place.id === "-new";
        const label = title || (isNew ? words.newObject(collection?.labelSingular || words.object) : place.id);
        const target = targetOf(place);
        return (
          <li key={`${place.collection} ${place.id} ${form}`}>
            <TextLink {...target} className={styles.title}>
              {label}
            </TextLink>
            <span className={styles.detail}>{words.unsaved(Object.keys(changes).length)}</span>
            <time className={styles.detail} dateTime={at} title={formatDateTime(at)}>
              {formatAgo(at)}
            </time>
          </li>
        );
      })}
    </ul>
  );
}

function targetOf({ collection, id }: KeptEntry["place"]): Target {
  const isNew = id === "-new";
  const { [collection]: listed } = ownPages;
  const pages = own[collection] ?? (listed && { list: listed, one: `${listed}/$id`, param: "id" });
  if (pages)
    return isNew
      ? { to: `${pages.list}/-new` as AdminPath }
      : { to: pages.one as AdminPath, params: { [pages.param]: id } };
  const of = "/admin/collections/$collection";
  if (isNew || id === settingsOf) return { to: `${of}/${id}`, params: { collection } };
  return { to: `${of}/$id`, params: { collection, id } };
}

function readKept(user: string): KeptEntry[] {
  try {
    return listKept(localStorage, Date.now(), { user });
  } catch {
    // A closed storage keeps nothing.
    return [];
  }
}
