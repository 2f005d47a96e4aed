// The first step after the administrator: what Cairn found on this machine, with a cure for what is not right.

import type { SystemReport } from "@contract/admin.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { AlertTriangle, CircleCheck, CircleX } from "lucide-react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useWords } from "#words/language.ts";
import { setupWords } from "#words/setup.ts";
import styles from "./Setup.module.css";
import { ContinueButton, SetupFrame } from "./SetupFrame.tsx";

const systemQuery = queryOptions({
  queryKey: ["system"],
  queryFn: ({ signal }) => askData<SystemReport>(routes.system, { signal }),
});

const icons = { good: CircleCheck, warn: AlertTriangle, bad: CircleX };

export function EnvironmentPage() {
  const words = useWords(setupWords);
  const { data, error, isPending, refetch } = useQuery(systemQuery);
  return (
    <SetupFrame
      step="environment"
      intro={words.environmentIntro}
      isBusy={isPending}
      footer={<ContinueButton to="/setup/content" />}
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton height="12rem" />}
      {data && (
        <>
          <p>
            {words.dataDirectory} <code className={styles.path}>{data.dataDir}</code>
          </p>
          <ul className={styles.checks} aria-label={words.checks}>
            {data.checks.map(({ id, level, message, cure }) => (
              <li key={id}>
                <span>
                  <Badge tone={level} icon={icons[level]}>
                    {words.levels[level]}
                  </Badge>
                </span>
                <span>{message}</span>
                {cure !== "" && <span className={styles.cure}>{cure}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </SetupFrame>
  );
}
