// What stands in the place of a page: while its code is fetched, when it has broken, when there is none.

import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { Failed } from "./LoadState.tsx";
import { Page } from "./Page.tsx";

export function PagePending() {
  return <main id="main" aria-busy="true" />;
}

/** The shell stays alive around it. */
export function PageBroken({ error, reset }: ErrorComponentProps) {
  const words = useWords(commonWords);
  const router = useRouter();
  useEffect(() => console.warn(error), [error]);
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title={words.brokenTitle}>
      <Failed title={words.failedTitle} error={error} onRetry={retry} />
    </Page>
  );
}
