// Signing in and out, by password or passkey.

import type { AdminUser } from "@contract/admin.ts";
import { browserSupportsWebAuthn, startAuthentication } from "@simplewebauthn/browser";
import { ask, askData, type SessionAnswer, setSession } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export interface SignedIn extends SessionAnswer {
  user: AdminUser;
}

export interface Credentials {
  email: string;
  password: string;
  remember?: boolean;
}

export async function signIn(credentials: Credentials): Promise<SignedIn> {
  return begin(await askData<SignedIn>(routes.signIn, { body: credentials, takes401: true }));
}

/** Throws what the browser throws when nobody chose a passkey. */
export async function signInByPasskey(): Promise<SignedIn> {
  const optionsJSON = await askData<Parameters<typeof startAuthentication>[0]["optionsJSON"]>(
    routes.passkeySignInOptions,
    { body: {}, takes401: true },
  );
  const credential = await startAuthentication({ optionsJSON });
  return begin(await askData<SignedIn>(routes.passkeySignIn, { body: credential, takes401: true }));
}

async function begin(signedIn: SignedIn): Promise<SignedIn> {
  await setSession(signedIn);
  return signedIn;
}

export function canUsePasskeys(): boolean {
  return browserSupportsWebAuthn();
}

/** Loads the sign-in page, so that nothing of the session stays in memory. */
export async function signOut(): Promise<void> {
  await ask(routes.signOut, { takes401: true });
  location.assign("/admin/login");
}

/** The whole page is loaded again, as the user. */
export async function impersonate(userId: string): Promise<void> {
  await ask(routes.impersonate, { path: { userId } });
  location.assign("/admin");
}

/** Back to the page of the user. */
export async function stopImpersonating(userId: string): Promise<void> {
  await ask(routes.stopImpersonating);
  location.assign(`/admin/users/${encodeURIComponent(userId)}`);
}
