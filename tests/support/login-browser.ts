// As much of a browser as the script of the login page needs: it runs what the server has sent, clicks, and carries.
// Its credentials come from the authenticator in software. It never asserts.

import { runInNewContext } from "node:vm";
import type { Answer, Server } from "../harness.ts";
import { type Passkey, useByPasskey } from "./authenticator.ts";

interface Site {
  origin: string;
  rpId: string;
}

export interface LoginTab {
  /** Whether the passkey button can be seen. */
  isOffered: boolean;
  /** What is read out. */
  status(): string;
  /** Where the tab went, with the answer that signed it in. */
  went(): { to: string | undefined; login: Answer | undefined };
  /** Resolves when the script has nothing more to do. */
  click(): Promise<void>;
}

/** `passkey`: undefined when the person has none, and closes the dialog. */
export async function openLogin(
  server: Server,
  { page, site, passkey }: { page: string; site: Site; passkey: Passkey | undefined },
): Promise<LoginTab> {
  const source = /<script[^>]* src="([^"]+)"/.exec(page)?.[1];
  if (source === undefined) throw new Error("the page has no script");
  const { text: script } = await server.request("GET", source, { key: null });
  const back = /name="redirect" value="([^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
  const status = { textContent: "", className: "" };
  let login: Answer | undefined;
  const left: string[] = [];
  const listeners: (() => Promise<void>)[] = [];
  const button = {
    disabled: false,
    addEventListener: (_: string, work: () => Promise<void>) => listeners.push(work),
  };
  const part = {
    hidden: true,
    querySelector: (what: string) => (what === "button" ? button : status),
  };
  runInNewContext(script, {
    window: { PublicKeyCredential: class {} },
    document: { getElementById: () => part, querySelector: () => (back === undefined ? null : { value: back }) },
    location: { replace: (address: string) => left.push(address) },
    navigator: { credentials: { get: async (asked: Asked) => use(site, asked, passkey) } },
    fetch: async (path: string, { body }: { body: string }) => {
      const answer = await server.request("POST", path, { key: null, body: JSON.parse(body) });
      if (path.endsWith("/login")) login = answer;
      return { ok: answer.status < 400, json: async () => answer.body };
    },
    ...{ atob, btoa, Uint8Array, encodeURIComponent },
  });
  return {
    isOffered: !part.hidden,
    status: () => status.textContent,
    went: () => ({ to: left[0], login }),
    async click() {
      for (const work of listeners) await work();
    },
  };
}

interface Asked {
  publicKey: { challenge: Uint8Array };
}

function use(site: Site, { publicKey }: Asked, passkey: Passkey | undefined): unknown {
  if (!passkey) throw new Error("NotAllowedError");
  const challenge = Buffer.from(publicKey.challenge).toString("base64url");
  const { response, ...used } = useByPasskey(site, { challenge }, passkey) as Used;
  const bytes = Object.entries(response).map(([name, value]) => [name, Buffer.from(value, "base64url")]);
  return { ...used, rawId: Buffer.from(used.rawId, "base64url"), response: Object.fromEntries(bytes) };
}

interface Used {
  id: string;
  rawId: string;
  response: Record<string, string>;
}
