// Where the user is signed in; each session can be ended.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
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
  const nameOf = ({ agent }: OwnSession) => {
    const { browser, system } = readDevice(agent);
    return browser && system ? words.deviceOn(browser, system) : browser || system || words.unknownDevice;
  };
  const columns: RecordColumn<OwnSession>[] = [
    {
      id: "device",
      label: words.device,
      cell: (session) => (
        <>
          <span className={styles.device}>{nameOf(session)}</span>{" "}
          {session.isCurrent && <Badge tone="accent">{words.thisOne}</Badge>}
        </>
      ),
    },
    { id: "address", label: words.address, cell: ({ address }) => <code>{address}</code> },
    { id: "since", label: words.since, cell: ({ created }) => formatDateTime(created) },
    {
      id: "seen",
      label: words.seen,
      cell: ({ lastSeen }) => <span title={formatDateTime(lastSeen)}>{formatAgo(lastSeen)}</span>,
    },
    {
      id: "end",
      label: words.actions,
      isLabelHidden: true,
      align: "end",
      cell: (session) => <End session={session} />,
    },
  ];
  return <RecordGrid label={words.sessions} columns={columns} rows={sessions} idOf={({ id }) => id} nameOf={nameOf} />;
}

function End({ session }: { session: OwnSession }) {
  const common = useWords(commonWords);
  const words = useWords(profileWords);
  const client = useQueryClient();
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
    <Button isPending={isPending} onPress={() => void end()}>
      {words.endSession}
    </Button>
  );
}
