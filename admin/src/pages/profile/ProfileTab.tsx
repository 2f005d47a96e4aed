// Own name and address.

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { changeOwnRecord, type Proof } from "#session/account.ts";
import { useStart } from "#session/start.ts";
import { ConfirmPassword } from "#shell/ConfirmPassword.tsx";
import { Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { Part } from "./Part.tsx";
import styles from "./Profile.module.css";

export function ProfileTab() {
  const words = useWords(profileWords);
  const { user } = useStart();
  const client = useQueryClient();
  const [name, setName] = useState(user.name);
  const [email, setEmail] = useState(user.email);
  const [problems, setProblems] = useState<{ [field: string]: string }>({});
  const [failure, setFailure] = useState<unknown>();
  const [isAsking, setIsAsking] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [waitsFor, setWaitsFor] = useState("");

  const save = async (proof?: Proof) => {
    const isMailed = await changeOwnRecord(
      user,
      { ...(name !== user.name && { name }), ...(email !== user.email && { email: email.trim() }) },
      proof,
    );
    setIsAsking(false);
    setWaitsFor(isMailed ? email.trim() : "");
    if (isMailed) setEmail(user.email);
    toast.good(words.saved);
    await client.invalidateQueries({ queryKey: ["start"] });
  };
  const refuse = (error: unknown) => {
    const details = error instanceof ApiError ? error.details : {};
    const fields = Object.entries(details).map(([field, [text = ""]]) => [field, text]);
    setProblems(Object.fromEntries(fields));
    setFailure(fields.length > 0 ? undefined : error);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblems({});
    setFailure(undefined);
    if (isPending) return;
    if (name === user.name && email.trim() === user.email) return void toast.good(words.nothing);
    if (email.trim() !== user.email) return setIsAsking(true);
    setIsPending(true);
    return void save()
      .catch(refuse)
      .finally(() => setIsPending(false));
  };
  return (
    <div className={styles.parts}>
      <Part title={words.tabs.profile}>
        <form className={styles.fields} onSubmit={submit} noValidate>
          {failure !== undefined && <Problem error={failure} />}
          {waitsFor && (
            <div role="status">
              <Notice tone="info">{words.emailSent(waitsFor)}</Notice>
            </div>
          )}
          <TextInput label={words.name} value={name} onChange={setName} autoComplete="name" error={problems.name} />
          <TextInput
            label={words.email}
            type="email"
            value={email}
            onChange={setEmail}
            autoComplete="email"
            description={words.emailHelp}
            error={problems.email}
          />
          {user.groups.length > 0 && (
            <p className={styles.detail}>
              {words.groups}: {formatList(user.groups)}
            </p>
          )}
          <Button variant="primary" type="submit" isPending={isPending}>
            {words.save}
          </Button>
        </form>
      </Part>
      {isAsking && <ConfirmPassword onConfirm={save} onClose={() => setIsAsking(false)} />}
    </div>
  );
}
