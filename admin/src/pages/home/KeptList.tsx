// Changes that this person has not saved yet, kept on this device.

import { type KeptEntry, listKept } from "#form/kept.ts";
import { useStart } from "#session/start.ts";
import { TextLink } from "#shell/links.tsx";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { homeWords } from "#words/home.ts";
import { useWords } from "#words/language.ts";
import styles from "./HomePage.module.css";
import { keptPlaces, targetOf } from "./kept-target.ts";

/** More would hide the rest of Home. */
const most = 8;
export function KeptList() {
  const words = useWords(homeWords);
  const { user, collections } = useStart();
  const places = [...keptPlaces, ...collections.map(({ id }) => id)];
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

function readKept(user: string): KeptEntry[] {
  try {
    return listKept(localStorage, Date.now(), { user });
  } catch {
    // A closed storage keeps nothing.
    return [];
  }
}
