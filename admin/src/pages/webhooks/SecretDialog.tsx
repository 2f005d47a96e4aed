// A secret, shown once. Nothing keeps it: it leaves the page with the dialog.

import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import layout from "#ui/layout.module.css";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { webhookWords } from "#words/webhooks.ts";

interface Props {
  secret: string;
  text: string;
  onDone: () => void;
}

export function SecretDialog({ secret, text, onDone }: Props) {
  const words = useWords(webhookWords);
  const common = useWords(commonWords);
  return (
    <Dialog
      title={words.secretTitle}
      isHeld
      onClose={onDone}
      footer={
        <Button variant="primary" onPress={onDone}>
          {common.done}
        </Button>
      }
    >
      <div className={layout.stack}>
        <p>{text}</p>
        <TextInput
          label={words.secret}
          value={secret}
          onChange={() => undefined}
          isReadOnly
          isMono
          autoComplete="off"
        />
        <div>
          <CopyButton text={secret} label={common.copy} copiedLabel={common.copied} />
        </div>
      </div>
    </Dialog>
  );
}
