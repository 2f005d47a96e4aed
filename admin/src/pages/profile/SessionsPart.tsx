// Where the user is signed in; each session can be ended.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { endSession, type OwnSession, sessionsQuery } from "#session/account.ts";
import { readDevice } from "#session/device-name.ts";
import { errorText, Failed } from "#shell/LoadState.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { Part } from "./Part.tsx";
import styles from "./Profile.module.css";

export function SessionsPart() {
  const words = useWords(profileWords);
  const sessions = useQuery(sessionsQuery);
  return (
    <Part title={words.sessions} text={words.sessionsText}>
      {sessions.data ? (
        <SessionGrid sessions={sessions.data} />
      ) : sessions.isError ? (
        <Failed error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <Skeleton height="6rem" />
      )}
    </Part>
  );
}

function SessionGrid({ sessions }: { sessions: OwnSession[] }) {
  const words = useWords(profileWords);
  // One stop of the Tab key; the arrow keys go from row to row.
  const [at, setAt] = useState(0);
  const stop = Math.min(at, sessions.length - 1);
  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && stop + step;
    if (next === undefined || !sessions[next]) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div className={styles.scroll}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the arrow keys walk its rows
        role="grid"
        className={styles.table}
        aria-label={words.sessions}
        aria-rowcount={sessions.length + 1}
        onKeyDown={press}
      >
        <thead>
          <tr>
            <th scope="col">{words.device}</th>
            <th scope="col">{words.address}</th>
            <th scope="col">{words.since}</th>
            <th scope="col">{words.seen}</th>
            <th scope="col">{words.actions}</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session, row) => (
            <SessionRow key={session.id} session={session} isStop={row === stop} onFocus={() => setAt(row)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  session: OwnSession;
  isStop: boolean;
  onFocus: () => void;
}

function SessionRow({ session, isStop, onFocus }: RowProps) {
  const common = useWords(commonWords);
  const words = useWords(profileWords);
  const client = useQueryClient();
  const id = useId();
  const { browser, system } = readDevice(session.agent);
  const device = browser && system ? words.deviceOn(browser, system) : browser || system || words.unknownDevice;
  const [isPending, setIsPending] = useState(false);
  const end = async () => {
    setIsPending(true);
    try {
      await endSession(session.id);
      // The own one: nothing is left to show.
      if (session.isCurrent) return location.assign("/admin/login");
      toast.good(words.sessionEnded);
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    return setIsPending(false);
  };
  return (
    <tr aria-labelledby={id}>
      <td>
        <span id={id} className={styles.device}>
          {device}
        </span>{" "}
        {session.isCurrent && <Badge tone="accent">{words.thisOne}</Badge>}
      </td>
      <td>
        <code>{session.address}</code>
      </td>
      <td>{formatDateTime(session.created)}</td>
      <td title={formatDateTime(session.lastSeen)}>{formatAgo(session.lastSeen)}</td>
      <td>
        <Button
          isPending={isPending}
          tabIndex={isStop ? 0 : -1}
          onFocus={onFocus}
          aria-describedby={id}
          onPress={() => void end()}
        >
          {words.endSession}
        </Button>
      </td>
    </tr>
  );
}
