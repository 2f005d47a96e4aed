// Asks for the address that the server is to fetch a file from.

import { useState } from "react";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";

interface Props {
  title: string;
  onUrl: (address: string) => void;
  onClose: () => void;
}

export function UrlDialog({ title, onUrl, onClose }: Props) {
  const words = useWords(fileWords);
  const common = useWords(commonWords);
  const [address, setAddress] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const submit = () => {
    const typed = address.trim();
    if (!/^https?:\/\/\S+$/i.test(typed) || !URL.canParse(typed)) return setIsWrong(true);
    onUrl(typed);
    onClose();
  };
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button variant="primary" type="submit">
            {words.upload}
          </Button>
        </>
      )}
    >
      <TextInput
        label={words.address}
        description={words.addressHelp}
        type="url"
        value={address}
        onChange={(next) => {
          setAddress(next);
          setIsWrong(false);
        }}
        error={isWrong ? words.addressWrong : undefined}
        placeholder="https://"
        autoComplete="off"
        data-autofocus
      />
    </Dialog>
  );
}
