// The keys that tokens are signed with. New ones end every grant, so they are asked for by typing.

import type { SigningKeyState } from "@contract/oauth.ts";
import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { Part } from "#pages/profile/Part.tsx";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { oauthWords } from "#words/oauth.ts";
import styles from "./oauth.module.css";
import { keysQuery, makeKeys } from "./records.ts";
import { useAction } from "./use-action.ts";

/** Of the key's name: enough to know what one does. */
const typedLength = 8;

export function KeysPart({ grants }: { grants: number }) {
  const words = useWords(oauthWords);
  const keys = useQuery(keysQuery);
  const [isAsking, setIsAsking] = useState(false);
  const state = keys.data;
  const hasKeys = state !== undefined && (state.configured || state.problem !== undefined);
  return (
    <Part
      title={words.keys}
      text={words.keysText}
      actions={hasKeys && <Button onPress={() => setIsAsking(true)}>{words.newKeys}</Button>}
    >
      {keys.isPending && <Skeleton height="3rem" />}
      {keys.isError && !state && <Failed error={keys.error} onRetry={() => void keys.refetch()} />}
      {state && <KeyState state={state} />}
      {isAsking && <NewKeys kid={state?.kid ?? ""} grants={grants} onClose={() => setIsAsking(false)} />}
    </Part>
  );
}

function KeyState({ state }: { state: SigningKeyState }) {
  const words = useWords(oauthWords);
  const { kid, created, problem } = state;
  const { isPending, problem: refusal, run } = useAction(() => undefined);
  const make = async () => {
    await makeKeys({ force: false });
    return words.keysMade;
  };
  if (problem !== undefined) return <Notice tone="bad">{problem}</Notice>;
  if (kid === null)
    return (
      <Notice
        tone="warn"
        action={
          <Button icon={KeyRound} isPending={isPending} onPress={() => void run(make)}>
            {words.makeKeys}
          </Button>
        }
      >
        {refusal ?? words.keysMissing}
      </Notice>
    );
  return (
    <dl className={styles.facts}>
      <dt>{words.keyId}</dt>
      <dd>
        <code>{kid}</code>
      </dd>
      <dt>{words.keySince}</dt>
      <dd>{created && formatDateTime(created)}</dd>
    </dl>
  );
}

function NewKeys({ kid, grants, onClose }: { kid: string; grants: number; onClose: () => void }) {
  const words = useWords(oauthWords);
  const { isPending, problem, run } = useAction(onClose);
  const typed = kid.slice(0, typedLength);
  const replace = async () => words.keysReplaced((await makeKeys({ force: true })).revoked);
  return (
    <ConfirmDialog
      title={words.newKeysTitle}
      text={words.newKeysText(grants)}
      confirmLabel={words.newKeys}
      tone="danger"
      {...(typed !== "" && { typed: { label: words.typeToConfirm(typed), value: typed } })}
      isPending={isPending}
      error={problem}
      onConfirm={() => void run(replace)}
      onCancel={onClose}
    />
  );
}
