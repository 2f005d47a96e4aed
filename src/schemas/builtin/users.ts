// Users. Their password is stored apart from the record and is never part of an answer.

import type { SchemaRecord } from "#contract/schemas.ts";
import * as p from "./define.ts";

/** Minimum length of a password; the setting `auth.minPasswordLength` may require more. */
export const leastPasswordLength = 8;

export const userSchema: SchemaRecord = p.define("auth", {
  title: "Users",
  description: "People who may sign in.",
  properties: {
    id: p.id("${oid}"),
    active: p.toggle("Active", "Only an active user can sign in."),
    image: p.image("Image", "A portrait."),
    name: p.text("Name", "The full name."),
    email: p.email("Email", "Used to sign in; no two users share one.", { unique: true }),
    password: p.password("Password", `At least ${leastPasswordLength} characters.`, { minLength: leastPasswordLength }),
    groups: p.list("Groups", "Access groups; none means the default group.", {
      settings: { accessGroupOptions: true, addChoices: false },
    }),
    expiration: p.date("Expiration", "After this day the user cannot sign in."),
    maxLoginCount: p.number("Login limit", "How often the user may sign in; 0 is unlimited.", { default: 0 }),
    loginCount: p.number("Logins", "How often the user has signed in.", { default: 0, settings: { readonly: true } }),
    created: p.created(),
    lastlogin: p.datetime("Last login", "When the user last signed in.", { settings: { readonly: true } }),
    passkeys: p.array("Passkeys", "Registered passkeys.", { mcp: { expose: false }, settings: { hide: true } }),
  },
  required: ["id", "created", "email", "password"],
  index: [
    "active",
    "image",
    "name",
    "email",
    "groups",
    "loginCount",
    "maxLoginCount",
    "lastlogin",
    "expiration",
    "created",
    "id",
  ],
});
