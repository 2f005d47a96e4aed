// The entries of a log: the newest page, older ones on request, and new ones as they come.
// The newest part is asked for every two seconds while the page is seen and Live is on; each request names the newest entry that
// is known, so nothing is fetched twice.

import type { AuditEntry } from "@contract/audit.ts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { paramsOf, type Question } from "./question.ts";

const pageSize = 100;
const pollMs = 2_000;
/** A page without entries leads on: so many are fetched before somebody has to ask. */
const maxEmpty = 20;

interface LogPage {
  entries: AuditEntry[];
  cursor: string | undefined;
}

interface Place {
  cursor?: string | undefined;
  after?: string | undefined;
}

export async function fetchPage(question: Question, place: Place, signal: AbortSignal | undefined): Promise<LogPage> {
  const query = { ...paramsOf(question), limit: pageSize, ...place };
  const { data, headers } = await ask<AuditEntry[]>(routes.audit, { query, signal });
  return { entries: data, cursor: headers.get("x-next-cursor") ?? undefined };
}

/** Goes on over parts of the log in which nothing matches. */
export async function fetchSome(
  question: Question,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<LogPage> {
  let page = await fetchPage(question, { cursor }, signal);
  for (let tries = 1; page.entries.length === 0 && page.cursor !== undefined && tries < maxEmpty; tries += 1)
    page = await fetchPage(question, { cursor: page.cursor }, signal);
  return page;
}

export function useLog(question: Question, isLive: boolean) {
  const key = JSON.stringify(question);
  const stored = useInfiniteQuery({
    queryKey: ["audit", key],
    queryFn: ({ pageParam, signal }) => fetchSome(question, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const { fresh, hasTailFailed } = useTail(question, {
    isOn: isLive && stored.data !== undefined,
    newest: stored.data?.pages[0]?.entries[0]?.id,
    onGap: () => void stored.refetch(),
  });
  const entries = [...fresh, ...(stored.data?.pages.flatMap((page) => page.entries) ?? [])];
  return { ...stored, entries, hasTailFailed };
}

interface Tail {
  isOn: boolean;
  /** Of the stored pages. */
  newest: string | undefined;
  /** More has come than one page holds: everything is fetched again. */
  onGap: () => void;
}

function useTail(question: Question, { isOn, newest, onGap }: Tail) {
  const key = `${JSON.stringify(question)} ${newest ?? ""}`;
  const [tail, setTail] = useState<{ key: string; fresh: AuditEntry[] }>({ key, fresh: [] });
  const [hasTailFailed, setHasTailFailed] = useState(false);
  const fresh = tail.key === key ? tail.fresh : [];
  const after = fresh[0]?.id ?? newest;
  const latest = useRef({ question, fresh, onGap });
  useEffect(() => {
    latest.current = { question, fresh, onGap };
  });
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const poll = async () => {
      if (document.visibilityState === "hidden") return wait();
      try {
        const page = await fetchPage(latest.current.question, { after }, stop.signal);
        setHasTailFailed(false);
        if (page.entries.length === 0) return wait();
        // With nothing known yet, a cursor only says that the log goes on.
        if (page.cursor === undefined || after === undefined)
          return setTail({ key, fresh: [...page.entries, ...latest.current.fresh] });
        latest.current.onGap();
        return wait();
      } catch {
        if (stop.signal.aborted) return;
        setHasTailFailed(true);
        wait();
      }
    };
    const wait = () => {
      timer = setTimeout(() => void poll(), pollMs);
    };
    wait();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [isOn, key, after]);
  return { fresh, hasTailFailed };
}
