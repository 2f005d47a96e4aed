// Asks before grants end: one, or all of a client.

import type { OAuthGrant } from "@contract/oauth.ts";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { useWords } from "#words/language.ts";
import { oauthWords } from "#words/oauth.ts";
import type { ClientGrants } from "./group-grants.ts";
import { revokeGrant, revokeGrantsOf } from "./records.ts";
import { useAction } from "./use-action.ts";

export function RevokeOne({ grant, onClose }: { grant: OAuthGrant; onClose: () => void }) {
  const words = useWords(oauthWords);
  const { isPending, problem, run } = useAction(onClose);
  const revoke = async () => {
    await revokeGrant(grant.id);
    return words.revoked;
  };
  return (
    <ConfirmDialog
      title={words.revokeTitle(grant.userName)}
      text={words.revokeText(grant.clientName)}
      confirmLabel={words.revoke}
      tone="danger"
      isPending={isPending}
      error={problem}
      onConfirm={() => void run(revoke)}
      onCancel={onClose}
    />
  );
}

export function RevokeAll({ group, onClose }: { group: ClientGrants; onClose: () => void }) {
  const words = useWords(oauthWords);
  const { isPending, problem, run } = useAction(onClose);
  const revoke = async () => words.allRevoked((await revokeGrantsOf(group.id)).grants);
  return (
    <ConfirmDialog
      title={words.revokeAllTitle(group.label)}
      text={words.revokeAllText(group.grants.length)}
      confirmLabel={words.revokeAll}
      tone="danger"
      isPending={isPending}
      error={problem}
      onConfirm={() => void run(revoke)}
      onCancel={onClose}
    />
  );
}
