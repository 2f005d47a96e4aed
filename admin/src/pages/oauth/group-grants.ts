// Grants by their client. Several clients may have chosen the same name: each gets a label of its own.

import type { ClientOrigin, OAuthGrant } from "@contract/oauth.ts";

export interface ClientGrants {
  id: string;
  name: string;
  /** The name, with the beginning of the id where another client has the same. */
  label: string;
  origin: ClientOrigin;
  grants: OAuthGrant[];
}

export function groupByClient(grants: readonly OAuthGrant[]): ClientGrants[] {
  const groups = new Map<string, ClientGrants>();
  for (const grant of grants) {
    const { clientId: id, clientName: name, clientOrigin: origin } = grant;
    const group = groups.get(id) ?? { id, name, label: name, origin, grants: [] };
    group.grants.push(grant);
    groups.set(id, group);
  }
  const all = [...groups.values()];
  const isShared = (name: string) => all.filter((other) => other.name === name).length > 1;
  return all
    .map((group) => (isShared(group.name) ? { ...group, label: `${group.name} (${shortId(group.id)})` } : group))
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** The id of a client that a document describes is the address of that document. */
function shortId(id: string): string {
  return id.startsWith("https:") ? id.slice("https://".length) : id.slice(0, 8);
}
