// How to name the remote, where there is none.

import { RotateCw } from "lucide-react";
import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { syncWords } from "#words/sync.ts";
import css from "./sync.module.css";

const commands = "cairn settings:set sync.url https://example.org/api\ncairn settings:set sync.key cairn_...";

export function NotConfigured({ problem, onRetry }: { problem: string | undefined; onRetry: () => void }) {
  const words = useWords(syncWords);
  return (
    <Slab className={css.unset}>
      <EmptyState title={words.notConfigured} text={words.notConfiguredText} />
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <ol className={css.steps}>
        <li>{words.stepKey}</li>
        <li>
          {words.stepSettings}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where it does not fit */}
          <pre className={css.commands} tabIndex={0}>
            {commands}
          </pre>
        </li>
      </ol>
      <div className={css.bar}>
        <CopyButton text={commands} label={words.copy} copiedLabel={words.copied} />
        <Button icon={RotateCw} onPress={onRetry}>
          {words.checkAgain}
        </Button>
      </div>
    </Slab>
  );
}
