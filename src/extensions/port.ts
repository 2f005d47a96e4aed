// Stands behind the port to extensions (content/extension-port.ts). Made by app.ts.

import { join } from "node:path";
import type { ExtensionPort, Offered } from "#content/extension-port.ts";
import type { App } from "#context.ts";
import type { ListedKind } from "#contract/extensions.ts";
import { type ExtensionSet, type LiveExtension, loadExtensions } from "./load-extensions.ts";
import { actorOf, callExtension, runtimeOf } from "./runtime.ts";

/** Closed when it fails: its extension being down must not open it. */
function staysClosed(entry: object): boolean {
  return ("onFailure" in entry && entry.onFailure === "closed") || ("protects" in entry && entry.protects === true);
}

const offers = new WeakMap<ExtensionSet, Map<ListedKind, readonly Offered<ListedKind>[]>>();

function offeredBy<K extends ListedKind>(set: ExtensionSet, kind: K): readonly Offered<K>[] {
  const kept = offers.get(set) ?? new Map<ListedKind, readonly Offered<ListedKind>[]>();
  offers.set(set, kept);
  const known = kept.get(kind);
  if (known) return known as readonly Offered<K>[];
  const live = set.of(kind);
  const downed = [...set.all.values()]
    .filter((one): one is LiveExtension => one.enabled && one.manifest !== undefined && one.state !== "enabled")
    .flatMap((extension) => extension.manifest.contributes[kind].map((entry) => ({ extension, entry })))
    .filter(({ entry }) => staysClosed(entry));
  const found = [...live, ...downed].map(({ extension, entry }) => ({
    extension: extension.id,
    title: extension.manifest.name,
    source: extension.source,
    runtime: extension.manifest.runtime,
    mark: `${extension.manifest.version}-${extension.mark}`,
    isEverywhere: extension.allPages,
    mayPrint: extension.manifest.permissions.print && !extension.switchedOff.has("print"),
    entry,
  })) as Offered<K>[];
  kept.set(kind, found);
  return found;
}

const templateFolders = new WeakMap<ExtensionSet, ReadonlyMap<string, string>>();

function templatesOf(set: ExtensionSet): ReadonlyMap<string, string> {
  const known =
    templateFolders.get(set) ??
    new Map(
      set.live.flatMap(({ id, folder, manifest, switchedOff }) => {
        const { templates } = manifest.contributes;
        return templates === "" || switchedOff.has("templates:all") ? [] : [[id, join(folder, templates)] as const];
      }),
    );
  templateFolders.set(set, known);
  return known;
}

/** `app`: made after the port, so it is asked for when needed. */
export function createExtensionPort(app: () => App): ExtensionPort {
  return {
    of(kind) {
      const set = loadExtensions(app());
      return set instanceof Promise ? set.then((loaded) => offeredBy(loaded, kind)) : offeredBy(set, kind);
    },
    templates() {
      const set = loadExtensions(app());
      return set instanceof Promise ? set.then(templatesOf) : templatesOf(set);
    },
    call: (order) => callExtension(app(), order),
    report: (extension, text) => runtimeOf(app().storage).notes.wrong(app(), extension, text),
    async findActor(id) {
      const live = (await loadExtensions(app())).live.find((one) => one.id === id);
      return live && actorOf(live);
    },
  };
}

/** Before the storage closes. */
export async function closeExtensions(app: App): Promise<void> {
  const { host, notes, unwatch } = runtimeOf(app.storage);
  unwatch();
  await host.close();
  await notes.flush(app);
}
