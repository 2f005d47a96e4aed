// Names that exist once in an installation: tools, prompts, resources and filters. The service's own come first, then those of
// extensions in their order. A name that is taken is not offered, and the extension that lost it says so in its error.

import { coreFilterNames, coreToolNames } from "#contract/core-names.ts";
import type { ExtensionSource, Manifest } from "#contract/extensions.ts";

interface Named {
  id: string;
  source: ExtensionSource;
  manifest: Manifest;
  switchedOff: ReadonlySet<string>;
}

/** By extension: entries that it cannot offer. */
export type TakenNames = ReadonlyMap<string, { entry: object; why: string }[]>;

const single = { tools: "tool", prompts: "prompt", resources: "resource", filters: "filter" } as const;
type SingleKind = keyof typeof single;
const service = "Cairn itself";
const core: Partial<Record<SingleKind, readonly string[]>> = { tools: coreToolNames, filters: coreFilterNames };

/** `live`: in the order of loading. */
export function findTaken(live: readonly Named[]): TakenNames {
  const taken = new Map<string, { entry: object; why: string }[]>();
  for (const kind of Object.keys(single) as SingleKind[]) {
    const owners = new Map((core[kind] ?? []).map((name) => [name, service]));
    for (const { id, source, manifest, switchedOff } of live)
      for (const entry of manifest.contributes[kind]) {
        if (switchedOff.has(`${kind}:${entry.name}`)) continue;
        const name = "uri" in entry ? entry.uri.replaceAll(/\{[^}]*\}/g, "{}") : entry.name;
        const isOurs = name.startsWith("cairn://") && source !== "bundled";
        const owner = isOurs ? service : owners.get(name);
        if (owner === undefined) owners.set(name, id);
        else {
          const why = `The ${single[kind]} ${"uri" in entry ? entry.uri : name} is taken by ${owner}.`;
          taken.set(id, [...(taken.get(id) ?? []), { entry, why }]);
        }
      }
  }
  return taken;
}
