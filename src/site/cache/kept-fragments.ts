// Fragments of pages in memory, each with what it has read. One is used while a rendering would make the same.

import { characterBytes, openStore } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { PageRecord } from "#site/template/recorder.ts";
import type { FragmentStore, FragmentText } from "#site/template/rendering.ts";
import type { Storage } from "#storage/port.ts";
import { isUnchangedByOwn, isUntouched, recheck } from "./check-record.ts";
import { beginRecord } from "./page-record.ts";

/** Characters of all of them. */
const capacity = 16_000_000;
const largest = 1_000_000;
const overhead = 2_000;
const maxVariants = 100;

interface Kept extends FragmentText {
  record: PageRecord;
  until: number;
}

const fragmentsOf = perInstance((storage: Storage) =>
  openStore<Kept[]>(storage, { kind: cacheKinds.fragments, capacity, unit: characterBytes }),
);

export function fragmentStore(app: App): FragmentStore {
  const { storage, clock } = app;
  const kept = fragmentsOf(storage);
  const put = (key: string, variants: Kept[]) =>
    kept.set(
      key,
      variants,
      variants.reduce((sum, { text }) => sum + text.length + overhead, key.length),
    );
  return {
    begin: () => beginRecord(storage),
    async find(key, plainOf) {
      const variants = kept.get(key);
      const found = variants?.find(({ names }) => names.every(([name, value]) => plainOf(name) === value));
      if (!variants || !found) return undefined;
      const { record } = found;
      const isFresh = found.until > clock.now();
      const isKnown = isUntouched(storage, record) || isUnchangedByOwn(storage, record);
      if (isFresh && (isKnown || (await recheck(app, record).catch(() => false)))) return found;
      put(
        key,
        variants.filter((one) => one !== found),
      );
      return undefined;
    },
    keep(key, made, record) {
      const { isPrivate, isNever, seconds } = record;
      if (isPrivate || isNever || made.text.length > largest) return;
      const until = clock.now() + seconds * 1_000;
      put(key, [...(kept.get(key) ?? []).slice(1 - maxVariants), { ...made, record, until }]);
    },
  };
}
