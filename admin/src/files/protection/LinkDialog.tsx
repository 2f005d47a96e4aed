// Makes a link that opens a file for everybody who has it, until it ends.

import type { FileChoice, FileLink } from "@contract/admin.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DialogButtons, DialogError } from "#files/DialogButtons.tsx";
import { makeLink, protectionQuery } from "#files/file-calls.ts";
import { deedText, useDeed } from "#files/use-deed.ts";
import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { newId } from "#ui/newId.ts";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { Select } from "#ui/Select.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { depotWords } from "#words/depot.ts";
import { useWords } from "#words/language.ts";
import css from "./protection.module.css";

interface Props {
  name: string;
  choice: FileChoice;
  onClose: () => void;
}

export function LinkDialog({ name, choice, onClose }: Props) {
  const words = useWords(depotWords);
  const common = useWords(commonWords);
  const protection = useQuery(protectionQuery(choice));
  const [password, setPassword] = useState("");
  const [ends, setEnds] = useState("P7D");
  const [isWrong, setIsWrong] = useState(false);
  const [link, setLink] = useState<FileLink>();
  const { isPending, error, run } = useDeed();
  const { hasPassword = false, lockedBy = "" } = protection.data ?? {};
  const needsPassword = hasPassword || lockedBy !== "";

  const make = () =>
    run(async () => {
      if (needsPassword && password === "") {
        setIsWrong(true);
        return;
      }
      // Where there is no password, the text in the link means nothing: it only has to be one.
      const made = await makeLink(choice, needsPassword ? password : newId(), ends === "never" ? undefined : ends);
      setIsWrong(!made.isRight);
      if (made.isRight) setLink(made);
    });

  const title = words.linkTitle(name);
  if (link) {
    return (
      <Dialog
        title={title}
        onClose={onClose}
        footer={
          <Button variant="primary" onPress={onClose}>
            {words.close}
          </Button>
        }
      >
        <div className={css.stack}>
          <LinkText label={words.linkLabel} address={link.download} />
          <LinkText label={words.streamLabel} address={link.stream} />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void make()}
      footer={
        <DialogButtons label={words.makeLink} isPending={isPending} isDisabled={!protection.data} onCancel={onClose} />
      }
    >
      <div className={css.stack}>
        <p className={css.text}>{words.linkText}</p>
        {protection.isPending && <Skeleton height="4rem" />}
        {needsPassword && (
          <PasswordInput
            label={words.password}
            description={words.passwordOf}
            value={password}
            onChange={(next) => {
              setPassword(next);
              setIsWrong(false);
            }}
            error={isWrong ? words.wrongPassword : undefined}
            autoComplete="off"
            autoFocus
          />
        )}
        <Select
          label={words.ends}
          value={ends}
          onChange={setEnds}
          options={Object.entries(words.endings).map(([value, label]) => ({ value, label }))}
        />
        <DialogError>{error || (protection.error && deedText(protection.error, common))}</DialogError>
      </div>
    </Dialog>
  );
}

function LinkText({ label, address }: { label: string; address: string }) {
  const words = useWords(depotWords);
  const whole = location.origin + address;
  return (
    <div className={css.link}>
      <TextInput label={label} value={whole} onChange={() => {}} isReadOnly isMono />
      <CopyButton text={whole} label={words.copy(label)} copiedLabel={words.copied} isIconOnly />
    </div>
  );
}
