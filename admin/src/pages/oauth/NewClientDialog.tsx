// Makes a client, and shows its secret this once: it is in this dialog alone and goes with it.

import type { CreatedClient } from "@contract/oauth.ts";
import { scopes as allScopes, type Scope } from "@contract/scopes.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { useStart } from "#session/start.ts";
import { Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { CheckboxGroup } from "#ui/CheckboxGroup.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { TextArea } from "#ui/TextArea.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { oauthWords } from "#words/oauth.ts";
import styles from "./oauth.module.css";
import { clientsQuery, createClient } from "./records.ts";

/** As the server's own default: administering is never one. */
const usualScopes = allScopes.filter((scope) => scope !== "cms:admin");

export function NewClientDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<CreatedClient>();
  return created ? (
    <CreatedDialog client={created} onClose={onClose} />
  ) : (
    <Form onClose={onClose} onCreated={setCreated} />
  );
}

interface FormProps {
  onClose: () => void;
  onCreated: (client: CreatedClient) => void;
}

function Form({ onClose, onCreated }: FormProps) {
  const words = useWords(oauthWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [uris, setUris] = useState("");
  const [scopes, setScopes] = useState<string[]>(usualScopes);
  const [isConfidential, setIsConfidential] = useState(true);
  const [isPending, setIsPending] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  const details = refusal instanceof ApiError ? refusal.details : undefined;
  const errorOf = (property: string) => details?.[property]?.join(" ");
  const submit = async () => {
    if (isPending) return;
    setIsPending(true);
    setRefusal(undefined);
    const redirectUris = uris.split("\n").flatMap((line) => line.trim() || []);
    try {
      const made = await createClient({ name, redirectUris, scopes: scopes as Scope[], confidential: isConfidential });
      onCreated(made);
      await client.invalidateQueries({ queryKey: clientsQuery.queryKey });
    } catch (error) {
      setRefusal(error);
      setIsPending(false);
    }
  };
  return (
    <Dialog
      title={words.newClient}
      onClose={onClose}
      isDirty={name !== "" || uris !== ""}
      onSubmit={() => void submit()}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {words.createClient}
          </Button>
        </>
      )}
    >
      <div className={styles.fields}>
        {refusal !== undefined && Object.keys(details ?? {}).length === 0 && <Problem error={refusal} />}
        <TextInput
          label={words.name}
          value={name}
          onChange={setName}
          isRequired
          error={errorOf("name")}
          autoComplete="off"
          autoFocus
        />
        <TextArea
          label={words.redirectUris}
          description={words.redirectUrisHelp}
          value={uris}
          onChange={setUris}
          isRequired
          isMono
          spellCheck={false}
          error={errorOf("redirectUris")}
        />
        <CheckboxGroup
          label={words.scopes}
          description={words.scopesHelp}
          value={scopes}
          onChange={setScopes}
          error={errorOf("scopes")}
          options={allScopes.map((scope) => ({ value: scope, label: `${words.scopeWords[scope]} (${scope})` }))}
        />
        <Checkbox
          label={words.confidential}
          description={words.confidentialHelp}
          isSelected={isConfidential}
          onChange={setIsConfidential}
        />
      </div>
    </Dialog>
  );
}

function CreatedDialog({ client, onClose }: { client: CreatedClient; onClose: () => void }) {
  const words = useWords(oauthWords);
  const common = useWords(commonWords);
  const { site } = useStart();
  const { id, secret, redirectUris } = client;
  const who = secret === undefined ? `-d client_id=${id} -d code_verifier=$VERIFIER` : `-u '${id}:${secret}'`;
  const example = `curl -X POST ${site.url}/oauth/token ${who} \\\n  -d grant_type=authorization_code -d code=$CODE -d redirect_uri='${redirectUris[0]?.replaceAll("'", "%27")}'`;
  return (
    <Dialog
      title={words.yourClient}
      onClose={onClose}
      isHeld
      footer={
        <Button variant="primary" onPress={onClose}>
          {common.done}
        </Button>
      }
    >
      <div className={styles.fields}>
        <Notice tone={secret === undefined ? "info" : "warn"}>
          {secret === undefined ? words.noSecret : words.secretOnce}
        </Notice>
        <Shown label={words.clientId} value={id} copyLabel={words.copyId} />
        {secret !== undefined && <Shown label={words.clientSecret} value={secret} copyLabel={words.copySecret} />}
        <div className={styles.shown}>
          <TextArea label={words.example} value={example} onChange={() => undefined} isReadOnly isMono rows={2} />
          <CopyButton text={example} label={words.copyExample} copiedLabel={common.copied} isIconOnly />
        </div>
      </div>
    </Dialog>
  );
}

function Shown({ label, value, copyLabel }: { label: string; value: string; copyLabel: string }) {
  const common = useWords(commonWords);
  return (
    <div className={styles.shown}>
      <TextInput label={label} value={value} onChange={() => undefined} isReadOnly isMono isUnmanaged />
      <CopyButton text={value} label={copyLabel} copiedLabel={common.copied} isIconOnly />
    </div>
  );
}
