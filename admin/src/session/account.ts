// The signed-in user's own account: record, password, passkeys, sessions, connected applications.

import type { AdminUser } from "@contract/admin.ts";
import type { Scope } from "@contract/scopes.ts";
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { queryOptions } from "@tanstack/react-query";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export interface OwnSession {
  id: string;
  created: string;
  lastSeen: string;
  address: string;
  agent: string;
  isCurrent: boolean;
}

export interface Passkey {
  id: string;
  name: string;
  created: string;
  lastUsed: string | null;
}

export interface Connection {
  id: string;
  clientName: string;
  /** "static" for one that an administrator has made. */
  clientOrigin: string;
  scopes: Scope[];
  created: string;
  lastUsed: string | null;
}

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => askData<OwnSession[]>(routes.sessions, { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => askData<Passkey[]>(routes.passkeys, { signal }),
});

export const connectionsQuery = queryOptions({
  queryKey: ["connections"],
  queryFn: ({ signal }) => askData<Connection[]>(routes.connections, { signal }),
});

/** The present password, or nothing when a passkey was confirmed. */
export type Proof = string | undefined;

const proofOf = (proof: Proof) => (proof === undefined ? {} : { currentPassword: proof });

/** True when the new address waits for its link to be opened. */
export async function changeOwnRecord(
  { id }: AdminUser,
  changes: { name?: string; email?: string; password?: string },
  proof?: Proof,
): Promise<boolean> {
  const { meta } = await ask(routes.patchObject, {
    path: { collection: "auth", id },
    body: { ...changes, ...proofOf(proof) },
  });
  return meta.requiresVerification === true;
}

type RegistrationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
type ConfirmationOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** Throws what the browser throws when it has made none. */
export async function addPasskey(name: string, proof: Proof): Promise<void> {
  const optionsJSON = await askData<RegistrationOptions>(routes.passkeyOptions, { body: proofOf(proof) });
  const credential = await startRegistration({ optionsJSON });
  await ask(routes.addPasskey, { body: { credential, name, ...proofOf(proof) } });
}

export async function removePasskey(id: string, proof: Proof): Promise<void> {
  await ask(routes.removePasskey, { path: { id }, body: proofOf(proof) });
}

/** For five minutes this session needs no password. */
export async function confirmByPasskey(): Promise<void> {
  const optionsJSON = await askData<ConfirmationOptions>(routes.confirmOptions, { body: {} });
  await ask(routes.confirmByPasskey, { body: await startAuthentication({ optionsJSON }) });
}

export async function endSession(id: string): Promise<void> {
  await ask(routes.endSession, { path: { id } });
}

export async function endConnection(id: string): Promise<void> {
  await ask(routes.endConnection, { path: { id } });
}
