// Asks before clients go: one, or all stale ones.

import type { OAuthClient } from "@contract/oauth.ts";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { useWords } from "#words/language.ts";
import { oauthWords } from "#words/oauth.ts";
import { pruneClients, removeClient } from "./records.ts";
import { useAction } from "./use-action.ts";

export function RemoveClient({ client, onClose }: { client: OAuthClient; onClose: () => void }) {
  const words = useWords(oauthWords);
  const { isPending, problem, run } = useAction(onClose);
  const { id, name, grants } = client;
  const remove = async () => {
    await removeClient(id);
    return words.removed(name);
  };
  return (
    <ConfirmDialog
      title={words.removeTitle(name)}
      text={words.removeText(grants)}
      confirmLabel={words.remove}
      tone="danger"
      isPending={isPending}
      error={problem}
      onConfirm={() => void run(remove)}
      onCancel={onClose}
    />
  );
}

export function RemoveStale({ count, onClose }: { count: number; onClose: () => void }) {
  const words = useWords(oauthWords);
  const { isPending, problem, run } = useAction(onClose);
  const prune = async () => words.staleRemoved((await pruneClients({})).clients);
  return (
    <ConfirmDialog
      title={words.staleTitle}
      text={words.staleText(count)}
      confirmLabel={words.removeCount(count)}
      tone="danger"
      isPending={isPending}
      error={problem}
      onConfirm={() => void run(prune)}
      onCancel={onClose}
    />
  );
}
