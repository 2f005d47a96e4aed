// Changes since the last look: of followed resources, and of what lists are made from.
// It looks at versions, which move with a write of any process of the installation, and only then at the change itself.
// A resource is reported at most about once a second; changes in between are reported at the end of that second, never lost.

import { lastChange, visibleMark } from "#content/query/changes.ts";
import type { App, Context } from "#context.ts";
import { resultVersion } from "#data-views/changes.ts";
import { readUri } from "./resources.ts";

export interface Watch {
  /** Remembers how the resource is now, so that the next change is seen as one. */
  begin(ctx: Context, uri: string): Promise<void>;
  /** Those of the followed resources that are to be reported now. */
  look(followed: ReadonlySet<string>): Promise<string[]>;
  /** Whether this caller can see any of what has changed: drafts are not for everyone. */
  isVisible(ctx: Context, uri: string): Promise<boolean>;
  /** Whether anything that lists are made from may have changed. */
  haveListsChanged(): boolean;
}

interface Watched {
  version: number;
  mark: string;
  /** What callers without drafts saw last, and what they see now. */
  publicMark?: string;
  nextPublicMark?: string;
  isDue: boolean;
  toldAt: number;
  /** When it last had a subscriber. */
  neededAt: number;
}

/** With the time between two looks this stays below a second. */
const quietMs = 880;
const listsQuietMs = 500;
/** Followed first in another process: what changed so lately may have changed since. */
const lateMs = 2_000;
const forgetMs = 60_000;

export function createWatch(app: App): Watch {
  const watched = new Map<string, Watched>();
  let lists = listsMark(app);
  let listsAt = 0;

  async function meet(uri: string): Promise<Watched | undefined> {
    const known = watched.get(uri);
    if (known) return known;
    const version = versionOf(app, uri);
    const state = await readState(app, uri);
    if (version === undefined || !state) return undefined;
    const now = performance.now();
    const isDue = app.clock.now() - state.at < lateMs && !state.isImport;
    const one: Watched = { version, mark: state.mark, isDue, toldAt: 0, neededAt: now };
    watched.set(uri, one);
    return one;
  }

  /** Whether it is to be reported. */
  async function lookAt(uri: string, now: number): Promise<boolean> {
    const one = await meet(uri);
    if (!one) return false;
    one.neededAt = now;
    if (one.nextPublicMark !== undefined) one.publicMark = one.nextPublicMark;
    delete one.nextPublicMark;
    const version = versionOf(app, uri);
    if (version !== one.version) {
      const state = await readState(app, uri);
      one.version = version ?? one.version;
      if (state && state.mark !== one.mark) {
        one.mark = state.mark;
        one.isDue ||= !state.isImport;
      }
    }
    if (!one.isDue || now - one.toldAt < quietMs) return false;
    one.isDue = false;
    one.toldAt = now;
    return true;
  }

  return {
    async begin(ctx, uri) {
      const isNew = !watched.has(uri);
      const one = await meet(uri);
      if (!one) return;
      if (isNew) one.isDue = false;
      one.neededAt = performance.now();
      if (!one.isDue) await rememberPublic(ctx, uri, one);
    },
    async look(followed) {
      const now = performance.now();
      for (const [uri, { neededAt }] of watched) if (now - neededAt > forgetMs) watched.delete(uri);
      const due: string[] = [];
      for (const uri of followed) if (await lookAt(uri, now)) due.push(uri);
      return due;
    },
    async isVisible(ctx, uri) {
      const one = watched.get(uri);
      const mark = one && (await publicMarkOf(ctx, uri));
      if (!one || mark === undefined) return true;
      one.nextPublicMark = mark;
      return mark !== one.publicMark;
    },
    haveListsChanged() {
      const now = performance.now();
      if (now - listsAt < listsQuietMs) return false;
      const mark = listsMark(app);
      if (mark === lists) return false;
      lists = mark;
      listsAt = now;
      return true;
    },
  };
}

async function rememberPublic(ctx: Context, uri: string, one: Watched): Promise<void> {
  const mark = await publicMarkOf(ctx, uri);
  if (mark !== undefined) one.publicMark = mark;
}

async function publicMarkOf(ctx: Context, uri: string): Promise<string | undefined> {
  const address = readUri(uri);
  return address === undefined || address.id !== "" ? undefined : visibleMark(ctx, address.place);
}

/** Collections are followed as a whole, views one by one. */
function versionOf({ storage }: App, uri: string): number | undefined {
  const address = readUri(uri);
  if (!address) return undefined;
  const { place, id } = address;
  return storage.version(id === "" ? `objects:${place}` : `view:${id}`);
}

async function readState(app: App, uri: string): Promise<{ mark: string; at: number; isImport: boolean } | undefined> {
  const address = readUri(uri);
  if (!address) return undefined;
  if (address.id === "") return lastChange(app, address.place);
  return { mark: await resultVersion(app, address.id), at: 0, isImport: false };
}

/** Rights of users, definitions, and what is defined by objects. */
function listsMark({ storage }: App): string {
  const scopes = ["collections", "schemas", "settings", "groups", "extensions"] as const;
  const collections = ["auth", "mcp-prompt", "dataviews"] as const;
  const versions = [
    ...scopes.map((scope) => storage.version(scope)),
    ...collections.map((id) => storage.version(`objects:${id}`)),
  ];
  return versions.join(" ");
}
