// Field kinds of extensions, read from the database whenever an extension has changed, before a schema is used: every process
// builds and indexes by the same kinds.

import { perInstance } from "#base/per-instance.ts";
import type { App } from "#context.ts";
import type { KeptKind } from "#contract/extensions.ts";
import { type AddedKind, setAddedKinds } from "#schemas/added-kinds.ts";
import { listKeptKinds } from "#storage/tables/extensions/extensions.ts";

interface Followed {
  version: number | undefined;
  text: string;
  reading: Promise<void> | undefined;
}

const stateOf = perInstance((_storage: object): Followed => ({ version: undefined, text: "[]", reading: undefined }));

/** Undefined: nothing has changed. */
export function followKinds({ storage }: Pick<App, "storage">): Promise<void> | undefined {
  const state = stateOf(storage);
  if (state.version === storage.version("extensions")) return undefined;
  state.reading ??= read(storage, state).finally(() => {
    state.reading = undefined;
  });
  return state.reading;
}

async function read(storage: App["storage"], state: Followed): Promise<void> {
  const version = storage.version("extensions");
  const rows = await listKeptKinds(storage);
  const text = JSON.stringify(rows);
  if (text !== state.text) {
    const all = rows.flatMap(({ id, kinds }) =>
      Object.entries(JSON.parse(kinds) as { [kind: string]: KeptKind }).map(([kind, kept]): [string, AddedKind] => {
        const name = `${id}:${kind}`;
        return [name, { ...kept, name, extension: id, schema: kept.schema }];
      }),
    );
    setAddedKinds(storage, new Map(all));
  }
  state.text = text;
  state.version = version;
}
