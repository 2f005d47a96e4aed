// Everything that the palette can offer without asking the server: recent pages, collections, pages, actions. Only what the user
// may do.

import type { AdminCollection } from "@contract/admin.ts";
import type { Operation } from "@contract/collections.ts";
import { type Command, commands } from "#session/commands.ts";
import { keptLook, savePreferences } from "#session/preferences.ts";
import { recentPages } from "#session/recent-pages.ts";
import { signOut } from "#session/sign-in.ts";
import { type Can, canIn, useStart } from "#session/start.ts";
import type { Target } from "#shell/links.tsx";
import { entriesFor, pathOf } from "#shell/navigation.ts";
import { areShortcutsShown } from "#shell/overlays.ts";
import { type AdminPath, writeSearch } from "#shell/paths.ts";
import { contentCollections } from "#shell/sidebar/categories.ts";
import { commonWords } from "#words/common.ts";
import type { palette } from "#words/en/palette.ts";
import { useWords } from "#words/language.ts";
import { paletteWords } from "#words/palette.ts";
import { shellWords } from "#words/shell.ts";

export interface Choice {
  id: string;
  label: string;
  /** In a quieter place: the collection, the id. */
  detail?: string;
  /** As shown: "g h". */
  shortcut?: string;
  /** Where it leads; a choice without one runs. */
  path?: string;
  run?: () => void;
}

export interface Choices {
  recent: Choice[];
  collections: Choice[];
  pages: Choice[];
  actions: Choice[];
}

type PaletteWords = typeof palette;

const to = (target: Target) => ({ path: pathOf(target) });

export function useChoices(): Choices {
  const words = { ...useWords(commonWords), ...useWords(shellWords) };
  const own = useWords(paletteWords);
  const start = useStart();
  const { user, collections, can } = start;
  const may = canIn(start);
  const ofPage = commands.use();
  const shown = contentCollections(collections);
  const nameOf = (path: string) => {
    const [, , , id, object] = path.split("/");
    return object === undefined ? undefined : collections.find((own) => own.id === decodeURIComponent(id ?? ""))?.name;
  };
  return {
    recent: recentPages(user.id).map(({ path, title }) => ({
      id: `recent ${path}`,
      label: title,
      path,
      ...detailOf(nameOf(path)),
    })),
    collections: shown.map(({ id, name }) => ({
      id: `collection ${id}`,
      label: name,
      ...detailOf(id),
      ...to({ to: "/admin/collections/$collection", params: { collection: id } }),
    })),
    pages: [
      ...entriesFor(may, start).map((entry) => ({
        id: `page ${entry.id}`,
        label: entry.label(words),
        ...(entry.key && { shortcut: `g ${entry.key}` }),
        ...to(entry),
      })),
      { id: "page profile", label: words.profile, ...to({ to: "/admin/profile" }) },
    ],
    actions: [
      ...ofPage.map((command) => fromCommand(command)),
      ...everywhere(may, own, start.site.edition === "pro").filter(
        ({ label }) => !ofPage.some((command) => command.label === label),
      ),
      ...shown
        .filter(({ singleton, operations }) => !singleton && operations.includes("create"))
        .map(({ id, name, labelSingular }) => ({
          id: `new ${id}`,
          label: own.newIn(labelSingular || words.object),
          ...detailOf(name),
          ...to({ to: "/admin/collections/$collection/-new", params: { collection: id } }),
        })),
      ...collections.flatMap((collection) => pagesOf(collection, own)),
      { id: "theme", label: own.toggleTheme, run: toggleTheme },
      { id: "density", label: own.toggleDensity, run: toggleDensity },
      { id: "shortcuts", label: words.keyboardShortcuts, shortcut: "?", run: () => areShortcutsShown.set(true) },
      ...(can.docs ? [{ id: "api", label: words.apiReference, path: "/api/docs" }] : []),
      { id: "out", label: words.signOut, run: () => void signOut() },
    ],
  };
}

/** What can be made or done from any page. */
function everywhere(can: Can, words: PaletteWords, isPro: boolean): Choice[] {
  const isAdmin = can("read", "admin");
  const { newThings } = words;
  const all: [isThere: boolean, label: string, path: AdminPath][] = [
    [can("create", "collections"), newThings.collection, "/admin/collections/-new"],
    [can("create", "schemas") && isPro, newThings.schema, "/admin/schemas/-new"],
    [can("create", "dataviews"), newThings.dataView, "/admin/dataviews/-new"],
    [isAdmin && isPro, newThings.automation, "/admin/automations/-new"],
    [isAdmin, newThings.webhook, "/admin/webhooks/-new"],
    [can("create", { objects: "mailer" }), newThings.mail, "/admin/mailer/-new"],
    [isAdmin, newThings.user, "/admin/users/-new"],
    [isAdmin, newThings.group, "/admin/utils/access-groups/-new"],
  ];
  const made = all
    .filter(([isThere]) => isThere)
    .map(([, label, path]): Choice => ({ id: `make ${path}`, label, ...to({ to: path }) }));
  if (!can("delete", { util: "cache" })) return made;
  const cache = pathOf({ to: "/admin/utils/cache" }) + writeSearch({ open: "clear" });
  return [...made, { id: "clear cache", label: words.clearCache, path: cache }];
}

/** The pages about a collection itself. */
function pagesOf({ id, name, singleton, operations, canConfigure }: AdminCollection, words: PaletteWords): Choice[] {
  const has = (...wanted: Operation[]) => !singleton && wanted.some((operation) => operations.includes(operation));
  const pages: [isThere: boolean, label: string, path: AdminPath][] = [
    [canConfigure, words.settingsOf(name), "/admin/collections/$collection/-settings"],
    [has("create", "update"), words.importInto(name), "/admin/collections/$collection/-import"],
    [has("read"), words.exportOf(name), "/admin/collections/$collection/-export"],
    [has("create"), words.fillOf(name), "/admin/collections/$collection/-factory"],
  ];
  return pages
    .filter(([isThere]) => isThere)
    .map(([, label, path]) => ({ id: `${path} ${id}`, label, ...to({ to: path, params: { collection: id } }) }));
}

function detailOf(detail: string | undefined): { detail?: string } {
  return detail === undefined ? {} : { detail };
}

function fromCommand({ id, label, shortcut, run }: Command): Choice {
  return { id: `command ${id}`, label, ...(shortcut && { shortcut }), run };
}

function toggleTheme(): void {
  savePreferences({ theme: document.documentElement.dataset.theme === "dark" ? "light" : "dark" });
}

function toggleDensity(): void {
  savePreferences({ density: keptLook().density === "compact" ? "comfortable" : "compact" });
}

/** The page of an object. */
export function objectPath(collection: string, id: string): string {
  return pathOf({ to: "/admin/collections/$collection/$id", params: { collection, id } });
}
