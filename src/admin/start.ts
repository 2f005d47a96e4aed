// The start of a session in the admin: everything that its shell needs, in one answer. Viewers cannot read the settings
// of collections, so the labels of those that they may read are here.
// Cheap with any number of collections: settings and rights are in memory, the counts are one read of the counters.

import { isAllowed } from "#access/allow.ts";
import { csrfTokenOf } from "#access/sessions.ts";
import { presentUser, type SignedIn } from "#access/signed-in.ts";
import { hasPasskeys } from "#accounts/passkeys.ts";
import { version } from "#base/version.ts";
import { listOpenConfigs, subjectOf } from "#content/collections/collection-cache.ts";
import { viewsOf } from "#content/collections/saved-views.ts";
import { siteAddress } from "#content/site-address.ts";
import type { Context } from "#context.ts";
import type { AdminCollection, AdminStart, AdminUser, Rights, SiteFacts } from "#contract/admin.ts";
import { type CollectionConfig, type Operation, operations } from "#contract/collections.ts";
import { isOAuthOn } from "#oauth/switch.ts";
import { listCounters } from "#storage/tables/collections.ts";
import { countAttention } from "./attention.ts";
import { foldPermissions } from "./rights.ts";

export async function getAdminStart(ctx: Context, signedIn: SignedIn): Promise<AdminStart> {
  const { account, value, impersonator } = signedIn;
  const configs = await listOpenConfigs(ctx, "read");
  const [counters, attention] = await Promise.all([listCounters(ctx.storage), countAttention(ctx)]);
  return {
    user: userOf(account),
    csrfToken: csrfTokenOf(value),
    ...(impersonator && { impersonator: userOf(impersonator.account) }),
    can: rightsOf(ctx, signedIn),
    site: siteFacts(ctx),
    collections: configs
      .sort(byName)
      .map((config) => presentCollection(ctx, config, counters.get(config.id)?.totalObjects ?? 0)),
    attention,
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
    locales: [],
    mail: settings.get("smtp.host") !== "",
    oauth: isOAuthOn(ctx),
    mcp: settings.get("mcp.enabled"),
    passkeys: hasPasskeys(ctx),
  };
}

const collator = new Intl.Collator("en", { sensitivity: "base", numeric: true });

function byName(a: CollectionConfig, b: CollectionConfig): number {
  return collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
}

function presentCollection(ctx: Context, config: CollectionConfig, count: number): AdminCollection {
  const { id, name, category, labelSingular, labelPlural, schema, singleton, sortBy, reverseSort, url } = config;
  const subject = subjectOf(ctx, id, config);
  return {
    ...{ id, name, category, labelSingular, labelPlural, schema, count, singleton, sortBy, reverseSort },
    hasUrl: url !== "",
    history: false,
    drafts: false,
    locales: [],
    views: viewsOf(config),
    operations: operations.filter((operation) => isAllowed(ctx.actor, operation, subject)),
    canConfigure: isAllowed(ctx.actor, "update", { kind: "collections", collection: id }),
  };
}
