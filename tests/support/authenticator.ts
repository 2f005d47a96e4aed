// An authenticator in software: makes ES256 passkeys and signs with them, as a security key and a browser would.
// What a test wants wrong it says in `forge`. It carries; it never asserts.

import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

export interface Passkey {
  id: string;
  privateKey: KeyObject;
  userHandle: string;
  signCount: number;
}

export interface Forgery {
  origin?: string;
  rpId?: string;
  challenge?: string;
  signCount?: number;
  userHandle?: string;
  type?: string;
  /** Neither a PIN nor a finger was asked for. */
  isUnverified?: true;
  /** Signs with another key. */
  privateKey?: KeyObject;
}

interface Site {
  origin: string;
  rpId: string;
}

const userPresent = 0x01;
const userVerified = 0x04;
const attested = 0x40;

/** The answer to `/register/options`. */
// biome-ignore lint/suspicious/noExplicitAny: options are read as a browser reads them
export function makePasskey(site: Site, options: any, forge: Forgery = {}): { passkey: Passkey; credential: object } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" }) as { x: string; y: string };
  const id = randomBytes(32);
  const cose = cborMap([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  const signCount = forge.signCount ?? 1;
  const authData = Buffer.concat([
    header(forge.rpId ?? site.rpId, userPresent | verifiedFlag(forge) | attested, signCount),
    Buffer.alloc(16),
    uint16(id.length),
    id,
    cose,
  ]);
  const attestationObject = cborMap([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ]);
  const clientDataJSON = clientData("webauthn.create", site, options.challenge, forge);
  const passkey = { id: id.toString("base64url"), privateKey, userHandle: options.user.id, signCount };
  return {
    passkey,
    credential: {
      id: passkey.id,
      rawId: passkey.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientDataJSON.toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal", "hybrid", "<script>"],
      },
    },
  };
}

/** The answer to `/login/options`; each one counts up. */
// biome-ignore lint/suspicious/noExplicitAny: options are read as a browser reads them
export function useByPasskey(site: Site, options: any, passkey: Passkey, forge: Forgery = {}): object {
  passkey.signCount = forge.signCount ?? passkey.signCount + 1;
  const authData = header(forge.rpId ?? site.rpId, userPresent | verifiedFlag(forge), passkey.signCount);
  const clientDataJSON = clientData("webauthn.get", site, options.challenge, forge);
  const signed = Buffer.concat([authData, createHash("sha256").update(clientDataJSON).digest()]);
  const signature = createSign("sha256")
    .update(signed)
    .sign(forge.privateKey ?? passkey.privateKey);
  return {
    id: passkey.id,
    rawId: passkey.id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: clientDataJSON.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: signature.toString("base64url"),
      userHandle: forge.userHandle ?? passkey.userHandle,
    },
  };
}

function verifiedFlag({ isUnverified }: Forgery): number {
  return isUnverified ? 0 : userVerified;
}

function clientData(type: string, { origin }: Site, challenge: string, forge: Forgery): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: forge.type ?? type,
      challenge: forge.challenge ?? challenge,
      origin: forge.origin ?? origin,
      crossOrigin: false,
    }),
  );
}

function header(rpId: string, flags: number, signCount: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(signCount);
  return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), count]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

type Cbor = number | string | Buffer | Map<string, string>;

function cborMap(entries: [Cbor, Cbor][]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat().map(cbor)]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (value instanceof Map) return cborHead(5, 0);
  const bytes = Buffer.from(value as string);
  return Buffer.concat([cborHead(typeof value === "string" ? 3 : 2, bytes.length), bytes]);
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(length)]);
}
