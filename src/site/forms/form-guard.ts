// The steps that tell spam from sendings of people, apart from limits: a field that people do not see, links, words, and the
// challenge. Everything is signed or named with the key of the site; nothing is stored for a page that shows a form.

import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { perInstance } from "#base/per-instance.ts";
import { getSiteKey } from "#base/secrets.ts";
import type { App } from "#context.ts";
import type { FormGuard, RejectReason } from "#contract/forms.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

type Parts = Pick<App, "settings" | "clock">;

const dayMs = 86_400_000;
/** Pages may be open, or kept by others, for so many days. */
const trapDays = 31;
/** A person needs this long for the second page. */
const waitMs = 3_000;
const challengeMs = 7 * dayMs;
/** Leading zero bits: about half a second in a browser. */
export const proofBits = 14;

const stateOf = perInstance((_settings: App["settings"]): { day: number; names: string[] } => ({ day: -1, names: [] }));

/** Named anew each day; the first is today's. */
export function trapNames({ settings, clock }: Parts): readonly string[] {
  const state = stateOf(settings);
  const day = Math.floor(clock.now() / dayMs);
  if (state.day !== day) {
    state.day = day;
    state.names = Array.from({ length: trapDays }, (_, ago) => `f${sign(settings, `trap ${day - ago}`).slice(0, 10)}`);
  }
  return state.names;
}

/** Seconds until the field of today gets another name. */
export function trapExpires({ clock }: Pick<App, "clock">): number {
  return Math.ceil((dayMs - (clock.now() % dayMs)) / 1_000);
}

/** What the proof is made with; it changes with the trap. */
export function proofSalts(app: Parts, form: string): string[] {
  return trapNames(app).map((name) => hash("sha256", `${form} ${name}`, "hex").slice(0, 16));
}

/** `{salt}.{anything}` whose hash begins with enough zero bits. */
export function isProof(app: Parts, form: string, proof: string): boolean {
  if (proof.length > 200 || !proofSalts(app, form).includes(proof.split(".")[0] as string)) return false;
  const start = hash("sha256", proof, "buffer").readUInt32BE(0);
  return start >>> (32 - proofBits) === 0;
}

export function judge(values: JsonObject, { links, words }: FormGuard): RejectReason | undefined {
  const text = textsOf(values).join("\n");
  if ((text.match(/\bhttps?:\/\/|\bwww\.(?=\w)/gi)?.length ?? 0) > links) return "links";
  const folded = text.toLowerCase();
  return words.some((word) => folded.includes(word.trim().toLowerCase())) ? "words" : undefined;
}

function textsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** What was sent, as one text to be compared. */
export function contentHash(form: string, values: JsonObject): string {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify([form, sorted]), "hex");
}

/** Carried by the second page: good for this content alone, and not at once. */
export function makeChallenge({ settings, clock }: Parts, content: string): string {
  const since = String(clock.now());
  return `${since}.${sign(settings, `challenge ${content} ${since}`)}`;
}

export type ChallengeState = "passed" | "early" | "wrong";

export function checkChallenge({ settings, clock }: Parts, content: string, token: string): ChallengeState {
  const [since = "", signature = ""] = token.split(".");
  if (!/^\d{1,16}$/.test(since) || !isSame(signature, sign(settings, `challenge ${content} ${since}`))) return "wrong";
  const age = clock.now() - Number(since);
  if (age > challengeMs) return "wrong";
  return age < waitMs ? "early" : "passed";
}

function sign({ dataDir }: App["settings"], text: string): string {
  return createHmac("sha256", getSiteKey(dataDir)).update(`form ${text}`).digest("hex").slice(0, 40);
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
