// Texts with a fixed format: e-mail, URL, phone, time of day, slug. An empty text is an empty value.

import { slug } from "#base/ids.ts";
import type { Json } from "#contract/json.ts";
import { maxFormed } from "#schemas/bounds.ts";
import { hasTags } from "#schemas/html/html.ts";
import type { Field, FieldKind } from "#schemas/types.ts";
import { isHarmlessLink, isStorable, isWithin } from "./clean.ts";
import { report } from "./report.ts";
import { lineKind, readText } from "./text.ts";

export const emailKind: FieldKind = {
  ...lineKind,
  type: "email",
  rules: "own-form",
  coerce: (value, field) => formed(value, field, isEmail, () => report(field, "must be an e-mail address")),
};

export const urlKind: FieldKind = {
  ...lineKind,
  type: "url",
  rules: "own-form",
  isShaped: (value) => typeof value === "string" && !hasTags(value) && isHarmlessLink(value),
  coerce: (value, field) => formed(value, field, isWebUrl, () => report(field, "must be an http or https URL")),
};

export const phoneKind: FieldKind = {
  ...lineKind,
  type: "phone",
  rules: "own-form",
  coerce: (value, field) => formed(value, field, isPhone, () => report(field, "must be a phone number")),
};

export const timeKind: FieldKind = {
  ...lineKind,
  type: "time",
  rules: "own-form",
  coerce(value, field) {
    const text = formed(value, field, isTime, () => report(field, "must be a time of day like 09:30"));
    return text?.length === 4 ? `0${text}` : text;
  },
};

export const slugKind: FieldKind = {
  ...lineKind,
  type: "slug",
  rules: "own-form",
  coerce(value, field) {
    const text = readText(value, field);
    return text !== undefined && isWithin(text, maxFormed, field) ? slug(text) : undefined;
  },
};

function formed(value: Json, field: Field, isFormed: (text: string) => boolean, complain: () => undefined) {
  const sent = readText(value, field);
  if (sent === undefined || !isWithin(sent, maxFormed, field)) return undefined;
  const text = sent.trim();
  if (text === "" || !isStorable(text, field)) return text === "" ? "" : undefined;
  return isFormed(text) ? text : complain();
}

/** Letters of any script, one @, a domain with a dot, no quoting. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  return (
    at > 0 &&
    text.length <= 254 &&
    /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}$/u.test(local) &&
    !/^\.|\.\.|\.$/.test(local) &&
    /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}][\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}]$/u.test(
      domain,
    )
  );
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s<>"\\]+$/i.test(text) && URL.canParse(text);
}

function isPhone(text: string): boolean {
  return /^\+?[0-9 ()./-]{6,30}$/.test(text) && /[0-9]$/.test(text) && text.replace(/\D/g, "").length >= 3;
}

function isTime(text: string): boolean {
  return /^(?:[01]?\d|2[0-3]):[0-5]\d$/.test(text);
}
