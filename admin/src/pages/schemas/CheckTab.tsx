// What the server's check says about the draft, as it is now.

import type { LintFinding, SchemaRecord } from "@contract/schemas.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleAlert, Lightbulb } from "lucide-react";
import { useEffect, useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import css from "./schemas.module.css";

export interface Findings {
  list: readonly LintFinding[];
  isPending: boolean;
  error: unknown;
  retry: () => void;
}

/** Not with every key that is pressed. */
const calm = 500;

export function useFindings(record: SchemaRecord): Findings {
  const [settled, setSettled] = useState(record);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(record), calm);
    return () => clearTimeout(timer);
  }, [record]);
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ["schemas", "lint", settled],
    queryFn: ({ signal }) => askData<LintFinding[]>(routes.lintSchema, { body: settled, signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return { list: data ?? [], isPending, error, retry: () => void refetch() };
}

interface Props {
  findings: Findings;
  onGo: (property: string) => void;
}

export function CheckTab({ findings: { list, isPending, error, retry }, onGo }: Props) {
  const words = useWords(schemasWords);
  if (error) return <Failed error={error} onRetry={retry} />;
  if (isPending) return <p>{words.checking}</p>;
  if (list.length === 0) return <EmptyState title={words.checkCalm} text={words.checkCalmText} />;
  return (
    <Slab isFlush>
      <ul className={css.findings} aria-label={words.findings}>
        {list.map(({ level, property, message }) => (
          <li key={`${property} ${message}`} className={css.finding}>
            <Badge tone={level === "error" ? "bad" : "info"} icon={level === "error" ? CircleAlert : Lightbulb}>
              {words.levels[level]}
            </Badge>
            <span className={css.message}>{message}</span>
            {property !== undefined && (
              <Button variant="quiet" onPress={() => onGo(property)}>
                {words.goTo(property)}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Slab>
  );
}
