// Applications that act for the user; each can be disconnected.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { UndoButton } from "#pages/undo/UndoButton.tsx";
import { type Connection, connectionsQuery, endConnection } from "#session/account.ts";
import { errorText, Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { Part } from "./Part.tsx";
import styles from "./Profile.module.css";

export function ConnectionsTab() {
  const words = useWords(profileWords);
  const connections = useQuery(connectionsQuery);
  const [leaving, setLeaving] = useState<Connection>();
  return (
    <div className={styles.parts}>
      <Part title={words.connections} text={words.connectionsText}>
        {connections.data?.length === 0 && <p className={styles.text}>{words.noConnections}</p>}
        {connections.isPending && <Skeleton height="4rem" />}
        {connections.isError && !connections.data && (
          <Failed error={connections.error} onRetry={() => void connections.refetch()} />
        )}
        <ul className={styles.list} aria-label={words.connections}>
          {connections.data?.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} onEnd={() => setLeaving(connection)} />
          ))}
        </ul>
      </Part>
      {leaving && <EndConnection connection={leaving} onClose={() => setLeaving(undefined)} />}
    </div>
  );
}

function ConnectionRow({ connection, onEnd }: { connection: Connection; onEnd: () => void }) {
  const words = useWords(profileWords);
  const { clientName, clientOrigin, scopes, created, lastUsed } = connection;
  return (
    <li>
      <div>
        <p className={styles.strong}>{clientName}</p>
        <p className={styles.detail}>
          {words.connected(formatDateTime(created))}, {lastUsed ? words.lastUsed(formatAgo(lastUsed)) : words.neverUsed}
          . {clientOrigin !== "static" && words.selfRegistered}
        </p>
        <ul className={styles.scopes} aria-label={words.scopes}>
          {scopes.map((scope) => (
            <li key={scope} title={scope}>
              {words.scopeWords[scope]}
            </li>
          ))}
        </ul>
      </div>
      <div className={styles.buttons}>
        <UndoButton by={{ grant: connection.id }} name={clientName} />
        <Button onPress={onEnd}>{words.disconnect}</Button>
      </div>
    </li>
  );
}

function EndConnection({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const common = useWords(commonWords);
  const words = useWords(profileWords);
  const client = useQueryClient();
  const [isPending, setIsPending] = useState(false);
  const [problem, setProblem] = useState("");
  const end = async () => {
    setIsPending(true);
    try {
      await endConnection(connection.id);
      toast.good(words.disconnected);
      onClose();
      await client.invalidateQueries({ queryKey: connectionsQuery.queryKey });
    } catch (error) {
      setProblem(errorText(error, common).text);
      setIsPending(false);
    }
  };
  return (
    <ConfirmDialog
      title={words.disconnectTitle(connection.clientName)}
      text={words.disconnectText}
      confirmLabel={words.disconnect}
      tone="danger"
      isPending={isPending}
      error={problem || undefined}
      onConfirm={() => void end()}
      onCancel={onClose}
    />
  );
}
