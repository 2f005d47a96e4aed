// The whole backups, and the job that makes one. They are behind the password: what is refused without it is asked again after it.

import type { Backup, BackupMade, BackupPlace } from "@contract/transfer.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Proof } from "#session/account.ts";

interface BackupJob {
  id: string;
  status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  progress: { done: number; total: number };
  result: BackupMade | null;
  error: string | null;
}

const pollMs = 1_000;

export function needsPassword(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.details.password !== undefined;
}

export function useBackups() {
  return useQuery({
    queryKey: ["backups"],
    retry: false,
    queryFn: async ({ signal }) => {
      const { data, meta } = await ask<Backup[]>(routes.backups, { signal });
      return { backups: data, place: meta as unknown as BackupPlace };
    },
  });
}

/** Follows the job to its end. */
export function useBackupJob(id: string | null, onEnd: (job: BackupJob) => void): BackupJob | undefined {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ["jobs", id],
    enabled: id !== null,
    queryFn: ({ signal }) => askData<BackupJob>(routes.job, { path: { id: id ?? "" }, signal }),
    refetchInterval: ({ state }) => (isOpen(state.data) ? pollMs : false),
  });
  const latest = useRef(onEnd);
  latest.current = onEnd;
  const seen = useRef("");
  useEffect(() => {
    if (!data || isOpen(data) || seen.current === data.id) return;
    seen.current = data.id;
    latest.current(data);
    void client.invalidateQueries({ queryKey: ["backups"] });
  }, [data, client]);
  return data && isOpen(data) ? data : undefined;
}

function isOpen(job: BackupJob | undefined): boolean {
  return job === undefined || job.status === "queued" || job.status === "running";
}

/** Does something, after the password where the server asks for it. */
export function useBehindPassword() {
  const [waiting, setWaiting] = useState<{ run: () => Promise<void> }>();
  const [error, setError] = useState<unknown>();
  const attempt = async (run: () => Promise<void>) => {
    setError(undefined);
    try {
      await run();
    } catch (problem) {
      if (needsPassword(problem)) setWaiting({ run });
      else setError(problem);
    }
  };
  return {
    attempt: (run: () => Promise<void>) => void attempt(run),
    error,
    isAsking: waiting !== undefined,
    cancel: () => setWaiting(undefined),
    /** A passkey is confirmed by now; a password is not yet. */
    async confirm(proof: Proof) {
      if (proof !== undefined) await ask(routes.confirmPassword, { body: { password: proof } });
      setWaiting(undefined);
      if (waiting) await attempt(waiting.run);
    },
  };
}
