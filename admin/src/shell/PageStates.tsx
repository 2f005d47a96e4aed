// What stands in the place of a page: while its code is fetched, when it has broken, when there is none.

import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiError } from "#api/api-error.ts";
import { siteName } from "#session/site-name.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { Failed } from "./LoadState.tsx";
import styles from "./Page.module.css";
import { Page } from "./Page.tsx";
import { useTitle } from "./page-title.ts";

export function PagePending() {
  return <main id="main" aria-busy="true" />;
}

/** The start of the session could not be loaded, so there is no shell either. */
export function NoStart({ error }: ErrorComponentProps) {
  const words = useWords(commonWords);
  const router = useRouter();
  useTitle(words.noStartTitle, siteName());
  return (
    <main className={styles.alone}>
      <h1>{words.noStartTitle}</h1>
      <Failed error={error} onRetry={() => void router.invalidate()} />
    </main>
  );
}

/** The shell stays alive around it. */
export function PageBroken({ error, reset }: ErrorComponentProps) {
  const words = useWords(commonWords);
  const router = useRouter();
  useEffect(() => console.warn(error), [error]);
  const retry = () => {
    // Code that could not be loaded, or that has failed, gets a fresh start; a request is only sent again.
    if (!(error instanceof ApiError)) return location.reload();
    reset();
    return void router.invalidate();
  };
  return (
    <Page title={words.brokenTitle}>
      <Failed title={words.failedTitle} error={error} onRetry={retry} />
    </Page>
  );
}
