// What the audit log gets about users, by whichever door they are written.

import { audit } from "#access/audit.ts";
import { differing, type WriteAudit } from "#content/write-rules.ts";

/** The properties that decide a user's identity and rights. The log names these properties, never their values. */
const watched = ["email", "groups", "active", "expiration", "maxLoginCount"];

export const userAudit: WriteAudit = {
  changes(before, after) {
    const isNewPassword = before.secrets.password !== after.secrets.password;
    return [...differing(watched, before, after), ...(isNewPassword ? ["password"] : [])];
  },
  record: (ctx, what, user, details) => audit(ctx, { type: `user.${what}`, user, details }),
};
