// Own passkeys: the list, a new one, the end of one.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { addPasskey, type Passkey, type Proof, passkeysQuery, removePasskey } from "#session/account.ts";
import { canUsePasskeys } from "#session/sign-in.ts";
import { useStart } from "#session/start.ts";
import { ConfirmPassword } from "#shell/ConfirmPassword.tsx";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { Part } from "./Part.tsx";
import styles from "./Profile.module.css";

export function PasskeysPart() {
  const words = useWords(profileWords);
  const { site, impersonator } = useStart();
  const [isAdding, setIsAdding] = useState(false);
  if (impersonator) return null;
  if (!site.passkeys) return <Part title={words.passkeys} text={words.passkeysOff} />;
  return (
    <Part
      title={words.passkeys}
      text={words.passkeysText}
      actions={
        canUsePasskeys() && (
          <Button icon={Plus} onPress={() => setIsAdding(true)}>
            {words.addPasskey}
          </Button>
        )
      }
    >
      <PasskeyList />
      {isAdding && <AddPasskey onClose={() => setIsAdding(false)} />}
    </Part>
  );
}

function PasskeyList() {
  const words = useWords(profileWords);
  const client = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const [leaving, setLeaving] = useState<Passkey>();
  if (passkeys.isError && !passkeys.data)
    return <Failed error={passkeys.error} onRetry={() => void passkeys.refetch()} />;
  if (!passkeys.data) return <Skeleton height="3rem" />;
  if (passkeys.data.length === 0) return <p className={styles.text}>{words.noPasskeys}</p>;
  const remove = async (proof: Proof) => {
    if (leaving) await removePasskey(leaving.id, proof);
    setLeaving(undefined);
    toast.good(words.passkeyRemoved);
    await client.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  };
  return (
    <>
      <ul className={styles.list}>
        {passkeys.data.map((passkey) => (
          <li key={passkey.id}>
            <div>
              <p className={styles.strong}>{passkey.name || words.unnamed}</p>
              <p className={styles.detail}>
                {words.created(formatDateTime(passkey.created))},{" "}
                {passkey.lastUsed ? words.lastUsed(formatAgo(passkey.lastUsed)) : words.neverUsed}
              </p>
            </div>
            <Button onPress={() => setLeaving(passkey)}>{words.removePasskey(passkey.name || words.unnamed)}</Button>
          </li>
        ))}
      </ul>
      {leaving && (
        <ConfirmPassword
          text={words.removePasskeyText(leaving.name || words.unnamed)}
          onConfirm={remove}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const common = useWords(commonWords);
  const words = useWords(profileWords);
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [isAsking, setIsAsking] = useState(false);
  const add = async (proof: Proof) => {
    try {
      await addPasskey(name.trim() || words.unnamed, proof);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      toast.bad(words.passkeyRefused);
      return onClose();
    }
    toast.good(words.passkeyAdded);
    onClose();
    return client.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  };
  if (isAsking) return <ConfirmPassword onConfirm={add} onClose={() => setIsAsking(false)} />;
  return (
    <Dialog
      title={words.addPasskey}
      size="small"
      onClose={onClose}
      onSubmit={() => setIsAsking(true)}
      footer={
        <>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button variant="primary" type="submit">
            {words.addPasskey}
          </Button>
        </>
      }
    >
      <TextInput
        label={words.passkeyName}
        description={words.passkeyNameHelp}
        value={name}
        onChange={setName}
        maxLength={100}
        autoFocus
      />
    </Dialog>
  );
}
