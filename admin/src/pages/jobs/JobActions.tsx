// What can be done with a job: try it again, cancel it.

import type { JobAnswer } from "@contract/jobs.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { jobsWords } from "#words/jobs.ts";
import { useWords } from "#words/language.ts";
import { jobsKey } from "./job-calls.ts";

/** Their rows come from a caller and are gone with the request. */
const onceOnly = new Set(["import", "import-dry-run"]);

export function JobActions({ job }: { job: JobAnswer }) {
  const words = useWords(jobsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  const [isPending, setIsPending] = useState(false);
  const act = async (route: typeof routes.retryJob | typeof routes.cancelJob) => {
    setIsPending(true);
    try {
      const { status } = await askData<JobAnswer>(route, { path: { id: job.id } });
      if (route === routes.retryJob) toast.good(words.retried);
      else toast.good(status === "running" ? words.cancelling : words.isCancelled);
    } catch (error) {
      toast.bad(errorText(error, common).text);
    }
    await queries.invalidateQueries({ queryKey: jobsKey });
    void queries.invalidateQueries({ queryKey: ["start"] });
    setIsPending(false);
  };
  if (job.canCancel)
    return (
      <Button isPending={isPending} onPress={() => void act(routes.cancelJob)}>
        {words.cancel}
      </Button>
    );
  if (job.status !== "failed" || onceOnly.has(job.kind)) return null;
  return (
    <Button isPending={isPending} onPress={() => void act(routes.retryJob)}>
      {words.retry}
    </Button>
  );
}
