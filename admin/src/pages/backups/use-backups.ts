// The whole backups, and the job that makes one.

import type { Backup, BackupMade, BackupPlace } from "@contract/transfer.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ApiError } from "#api/api-error.ts";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

interface BackupJob {
  id: string;
  status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  progress: { done: number; total: number };
  result: BackupMade | null;
  error: string | null;
}

const pollMs = 1_000;

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

/** Not yet shown: the password was not confirmed lately. */
export function isBehindPassword(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.details.password !== undefined;
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
