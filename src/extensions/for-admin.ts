// What enabled extensions add to the admin, for the groups that hold them.

import type { UserActor } from "#access/actor.ts";
import type { App } from "#context.ts";
import type { SurfacePermission } from "#contract/access-groups.ts";
import type { AdminExtensions } from "#contract/admin.ts";
import type { ListedKind } from "#contract/extensions.ts";
import { assetsBase } from "./assets.ts";
import { type Contributed, loadExtensions } from "./load-extensions.ts";
import { actorOf } from "./runtime.ts";

type Holder = Pick<UserActor, "isAdmin" | "permissions">;

/** The extension's pages and routes for groups are there for members of groups that hold it, and for administrators. */
export function holdsExtension({ isAdmin, permissions }: Holder, id: string): boolean {
  const covers = ({ all, allowed }: SurfacePermission) => all || allowed.includes(id);
  return isAdmin || permissions.some(({ extensions }) => covers(extensions));
}

export async function extensionsForAdmin(app: App, holder: Holder): Promise<AdminExtensions> {
  const set = await loadExtensions(app);
  const held = <K extends ListedKind>(kind: K): Contributed<K>[] =>
    set.of(kind).filter(({ extension }) => holdsExtension(holder, extension.id));
  const bases = new Map<string, string>();
  for (const { extension } of [...held("adminPages"), ...held("fields")])
    if (!bases.has(extension.id)) bases.set(extension.id, (await assetsBase(extension)) ?? "");
  const addressOf = (id: string, file: string | undefined) => (file === undefined ? null : `${bases.get(id)}${file}`);
  const about = ({ extension: { id, manifest } }: Contributed<ListedKind>) => ({
    extension: id,
    extensionName: manifest.name,
  });
  return {
    pages: held("adminPages").map((one) => {
      const { extension, entry } = one;
      const { id, manifest } = extension;
      return {
        ...about(one),
        ...{ name: entry.name, title: entry.title, path: entry.path, icon: entry.icon ?? null },
        nav: entry.nav ?? "manage",
        element: addressOf(id, entry.element) as string,
        frame: manifest.runtime === "sandbox" || entry.frame === true,
        assets: bases.get(id) as string,
        collections: actorOf(extension).collections,
      };
    }),
    fields: held("fields").map((one) => {
      const { extension, entry } = one;
      const { id, manifest } = extension;
      return {
        ...about(one),
        ...{ kind: entry.kind, field: `${id}:${entry.kind}`, title: entry.title ?? entry.kind, type: entry.type },
        element: addressOf(id, entry.element),
        cell: addressOf(id, entry.cell),
        frame: manifest.runtime === "sandbox" || entry.frame === true,
        assets: bases.get(id) as string,
        collections: actorOf(extension).collections,
      };
    }),
    formActions: held("formActions").map((one) => ({
      ...about(one),
      name: one.entry.name,
      title: one.entry.title,
    })),
    pageSteps: held("pageSteps").map((one) => ({
      ...about(one),
      ...{ name: one.entry.name, title: one.entry.title, protects: one.entry.protects === true },
    })),
  };
}
