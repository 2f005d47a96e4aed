import { Button } from "#ui/Button.tsx";
import { Progress } from "#ui/Progress.tsx";
import { commonWords } from "#words/common.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./bulk.module.css";
import { cancelJob, useBulkJobs } from "./jobs.ts";

/** The bulk changes of a collection that are under way. */
export function BulkProgress({ collection }: { collection: string }) {
  const words = useWords(gridWords);
  const common = useWords(commonWords);
  const jobs = useBulkJobs(collection);
  if (jobs.length === 0) return null;
  return (
    <div className={css.jobs}>
      {jobs.map(({ id, title, done, total, isQueued }) => (
        <Progress
          key={id}
          label={isQueued ? `${title}: ${words.jobWaits}` : title}
          value={done}
          max={total}
          detail={
            <Button variant="quiet" onPress={() => void cancelJob(id)}>
              {common.cancel}
            </Button>
          }
        />
      ))}
    </div>
  );
}
