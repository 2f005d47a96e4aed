// What a page shows where its data should be: that they could not be loaded, and how to go on.

import { RotateCw } from "lucide-react";
import { useId } from "react";
import { ApiError } from "#api/api-error.ts";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Slab } from "#ui/Slab.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import styles from "./LoadState.module.css";

interface FailedProps {
  error: unknown;
  onRetry?: () => void;
  /** What could not be done; else that it could not be loaded. */
  title?: string;
}

export function Failed({ error, onRetry, title }: FailedProps) {
  const words = useWords(commonWords);
  const id = useId();
  const { text, requestId } = useErrorText(error);
  return (
    <Slab className={styles.slab}>
      <section className={styles.failed} role="alert" aria-labelledby={id}>
        <h2 id={id}>{title ?? words.failedTitle}</h2>
        <p>{text}</p>
        {requestId !== "" && <p className={styles.request}>{words.requestId(requestId)}</p>}
        {onRetry && (
          <Button icon={RotateCw} onPress={onRetry}>
            {words.tryAgain}
          </Button>
        )}
      </section>
    </Slab>
  );
}

/** Why an action was refused, at its place: what the page shows stays as it is. */
export function Problem({ error }: { error: unknown }) {
  const words = useWords(commonWords);
  const { text, requestId } = useErrorText(error);
  return (
    <div role="alert">
      <Notice tone="bad">
        {text}
        {requestId !== "" && <span className={styles.request}> {words.requestId(requestId)}</span>}
      </Notice>
    </div>
  );
}

interface ErrorText {
  text: string;
  /** Empty where there was no answer. */
  requestId: string;
}

/** An error in words, for people. */
export function useErrorText(error: unknown): ErrorText {
  const words = useWords(commonWords);
  return errorText(error, words);
}

export function errorText(error: unknown, words: { unreachable: string; unexpected: string }): ErrorText {
  if (!(error instanceof ApiError)) return { text: words.unexpected, requestId: "" };
  return { text: error.isUnreachable ? words.unreachable : error.message, requestId: error.requestId };
}
