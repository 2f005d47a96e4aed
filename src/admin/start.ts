// The start of a session in the admin: everything that its shell needs, in one answer. Viewers cannot read the settings
// of collections, so the labels of those that they may read are here.
// Cheap with any number of collections: what a user sees of them is kept for all users with the same rights until a
// collection changes, and the counts are one read of the counters.

import { isAllowed } from "#access/allow.ts";
import { csrfTokenOf } from "#access/sessions.ts";
import { presentUser, type SignedIn } from "#access/signed-in.ts";
import { hasPasskeys } from "#accounts/passkeys.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import { version } from "#base/version.ts";
import { listOpenConfigs, subjectOf } from "#content/collections/collection-cache.ts";
import { viewsOf } from "#content/collections/saved-views.ts";
import { historyMode } from "#content/history/mode.ts";
import { siteAddress } from "#content/site-address.ts";
import type { Context } from "#context.ts";
import type { AdminCollection, AdminStart, AdminUser, Rights, SiteFacts } from "#contract/admin.ts";
import { type CollectionConfig, type Operation, operations } from "#contract/collections.ts";
import { extensionsForAdmin } from "#extensions/for-admin.ts";
import { isOAuthOn } from "#oauth/switch.ts";
import type { Storage } from "#storage/port.ts";
import { listCounters } from "#storage/tables/collections.ts";
import { readFirstSteps } from "#storage/tables/keys.ts";
import { countAttention } from "./attention.ts";
import { foldPermissions } from "./rights.ts";

export async function getAdminStart(ctx: Context, signedIn: SignedIn): Promise<AdminStart> {
  const { account, value, impersonator } = signedIn;
  const shown = await collectionsFor(ctx, signedIn);
  const [counters, attention, extensions, steps] = await Promise.all([
    listCounters(ctx.storage),
    countAttention(ctx),
    extensionsForAdmin(ctx, signedIn.actor),
    isAllowed(ctx.actor, "read", { kind: "keys" }) ? readFirstSteps(ctx.storage) : undefined,
  ]);
  return {
    user: userOf(account),
    csrfToken: csrfTokenOf(value),
    ...(impersonator && { impersonator: userOf(impersonator.account) }),
    can: rightsOf(ctx, signedIn),
    site: siteFacts(ctx),
    collections: shown.map((one) => ({ ...one, count: counters.get(one.id)?.totalObjects ?? 0 })),
    attention,
    extensions,
    ...(steps && { steps }),
  };
}

function userOf(account: SignedIn["account"]): AdminUser {
  const { isAdmin: _, ...user } = presentUser(account);
  return user;
}

function rightsOf({ actor }: Context, signedIn: SignedIn): Rights {
  const allowed = (kind: "collections" | "schemas"): Operation[] =>
    operations.filter((operation) => isAllowed(actor, operation, { kind }));
  return {
    ...foldPermissions(signedIn.actor),
    collectionsMeta: allowed("collections"),
    schemas: allowed("schemas"),
  };
}

function siteFacts(ctx: Context): SiteFacts {
  const { settings } = ctx;
  return {
    name: settings.get("site.name"),
    url: siteAddress(ctx),
    version,
    edition: settings.get("edition"),
    environment: settings.get("environment"),
    timezone: settings.get("timezone"),
    locales: [...new Set(settings.get("locales"))],
    mail: settings.get("smtp.host") !== "",
    oauth: isOAuthOn(ctx),
    mcp: settings.get("mcp.enabled"),
    passkeys: hasPasskeys(ctx),
    maxUploadSize: settings.get("files.maxUploadSize"),
  };
}

type ShownCollection = Omit<AdminCollection, "count">;

const keptCollections = 20_000;
const collectionBytes = 500;
/** By the very rights that decide. A version of the groups would not do: the rights were read earlier, with the session. */
const shownCollections = createVersionedMap<Storage, ShownCollection[]>(
  (storage) => storage.version("collections"),
  { kind: cacheKinds.lists, capacity: keptCollections, unit: collectionBytes },
  (collections) => collections.length + 1,
);

async function collectionsFor(ctx: Context, { actor }: SignedIn): Promise<ShownCollection[]> {
  return shownCollections.get(
    ctx.storage,
    JSON.stringify([actor.isAdmin, actor.permissions, ctx.settings.get("history.default")]),
    async () => {
      const configs = await listOpenConfigs(ctx, "read");
      return configs.sort(byName).map((config) => presentCollection(ctx, config));
    },
  );
}

const collator = new Intl.Collator("en", { sensitivity: "base", numeric: true });

function byName(a: CollectionConfig, b: CollectionConfig): number {
  return collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}

function presentCollection(ctx: Context, config: CollectionConfig): ShownCollection {
  const { id, name, category, labelSingular, labelPlural, schema, singleton, sortBy, reverseSort, url } = config;
  const subject = subjectOf(ctx, id, config);
  return {
    ...{ id, name, category, labelSingular, labelPlural, schema, singleton, sortBy, reverseSort },
    hasUrl: url !== "",
    history: historyMode(ctx, { id, settings: config }),
    drafts: false,
    locales: [],
    views: viewsOf(config),
    operations: operations.filter((operation) => isAllowed(ctx.actor, operation, subject)),
    canConfigure: isAllowed(ctx.actor, "update", { kind: "collections", collection: id }),
  };
}
