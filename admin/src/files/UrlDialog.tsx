// Asks for the address that the server is to fetch a file from.

import { useState } from "react";
import { Dialog } from "#ui/Dialog.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { depotWords } from "#words/depot.ts";
import { useWords } from "#words/language.ts";
import { DialogButtons } from "./DialogButtons.tsx";

interface Props {
  label: string;
  onUpload: (address: string) => void;
  onClose: () => void;
}

export function UrlDialog({ label, onUpload, onClose }: Props) {
  const words = useWords(depotWords);
  const [address, setAddress] = useState("");
  const [isAsked, setIsAsked] = useState(false);
  const isAddress = /^https?:\/\/\S+$/i.test(address.trim());
  const submit = () => {
    setIsAsked(true);
    if (!isAddress) return;
    onUpload(address.trim());
    onClose();
  };
  return (
    <Dialog
      title={words.uploadFromUrl(label)}
      onClose={onClose}
      onSubmit={submit}
      footer={<DialogButtons label={words.upload} isPending={false} onCancel={onClose} />}
    >
      <TextInput
        label={words.address}
        type="url"
        value={address}
        onChange={setAddress}
        description={words.addressHelp}
        error={isAsked && !isAddress ? words.addressRule : undefined}
        placeholder="https://"
        autoFocus
      />
    </Dialog>
  );
}
