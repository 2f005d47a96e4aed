// A new key, shown once. It closes by Done alone.

import { useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Notice } from "#ui/Notice.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { apiKeysWords } from "#words/api-keys.ts";
import { useWords } from "#words/language.ts";
import css from "./api-keys.module.css";
import { curlLine } from "./endpoints.ts";
import type { MadeApiKey } from "./keys.ts";

export function MadeKey({ made, onDone }: { made: MadeApiKey; onDone: () => void }) {
  const words = useWords(apiKeysWords);
  const { site } = useStart();
  const command = curlLine(made, site.url);
  return (
    <Dialog
      title={words.madeTitle}
      onClose={onDone}
      isHeld
      footer={
        <Button variant="primary" onPress={onDone}>
          {words.done}
        </Button>
      }
    >
      <div className={css.form}>
        <Notice tone="warn">{words.madeText}</Notice>
        <div className={css.copied}>
          <TextInput
            label={words.value}
            value={made.key}
            onChange={() => undefined}
            isReadOnly
            isMono
            isUnmanaged
            autoComplete="off"
            spellCheck={false}
            onFocus={(event) => event.currentTarget.select()}
            autoFocus
          />
          <CopyButton text={made.key} label={words.copy} copiedLabel={words.copied} />
        </div>
        <div className={css.try}>
          <span className={css.label}>{words.tryIt}</span>
          <pre className={css.command}>{command}</pre>
          <CopyButton text={command} label={words.copyCommand} copiedLabel={words.copied} variant="quiet" />
        </div>
      </div>
    </Dialog>
  );
}
