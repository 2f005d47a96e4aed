// Sends a mail to one address to try something out. The address is the own one at first.

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import layout from "#ui/layout.module.css";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { Problem } from "./LoadState.tsx";

interface Props {
  title: string;
  words: { testText: string; testSent: (to: string) => string; addressRequired: string; to: string; send: string };
  /** Sends it; answers whom it went to. */
  send: (to: string) => Promise<{ to: string }>;
  onClose: () => void;
  /** Above the address. */
  notice?: ReactNode;
  /** Below it. */
  children?: ReactNode;
  /** What the server says, where it is more than a sentence. */
  showError?: (error: unknown) => ReactNode;
}

export function MailTestDialog({ title, words, send, onClose, notice, children, showError }: Props) {
  const common = useWords(commonWords);
  const { user } = useStart();
  const [to, setTo] = useState(user.email);
  const [wrong, setWrong] = useState("");
  const test = useMutation({
    mutationFn: () => send(to.trim()),
    onSuccess: (answer) => {
      toast.good(words.testSent(answer.to));
      onClose();
    },
  });
  const submit = () => {
    if (!to.includes("@")) return setWrong(words.addressRequired);
    setWrong("");
    return test.mutate();
  };
  const refused = test.error instanceof ApiError ? test.error.details.to?.join(". ") : undefined;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={submit}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isPending={test.isPending}>
            {words.send}
          </Button>
        </>
      )}
    >
      <div className={layout.stack}>
        <p>{words.testText}</p>
        {notice}
        <TextInput
          label={words.to}
          type="email"
          value={to}
          onChange={setTo}
          error={wrong || refused}
          isRequired
          autoComplete="email"
        />
        {children}
        {test.error && (showError?.(test.error) ?? <Problem error={test.error} />)}
      </div>
    </Dialog>
  );
}
