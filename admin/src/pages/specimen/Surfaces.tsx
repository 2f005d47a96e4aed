import { Check, CircleDashed, TriangleAlert, X } from "lucide-react";
import { Avatar } from "#ui/Avatar.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Mark } from "#ui/Mark.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Progress } from "#ui/Progress.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Spark } from "#ui/Spark.tsx";
import { Spinner } from "#ui/Spinner.tsx";
import { Group } from "./Group.tsx";
import css from "./SpecimenPage.module.css";

const runs = [3, 4, 3, 5, 9, 3, 3, 4, 4, 3, 2, 8, 4, 3, 3, 5, 4, 3, 4, 3];

export function Surfaces() {
  return (
    <>
      <Group title="Badges, chips, people" isRow>
        <Badge>Draft</Badge>
        <Badge tone="good" icon={Check}>
          Published
        </Badge>
        <Badge tone="warn" icon={TriangleAlert}>
          Needs attention
        </Badge>
        <Badge tone="bad" icon={X}>
          Failed
        </Badge>
        <Badge tone="info" icon={CircleDashed}>
          Running
        </Badge>
        <Badge tone="accent">2 unsaved</Badge>
        <Chip label="hiking" />
        <Chip label="Author is Ada" onRemove={() => {}} removeLabel="Remove filter Author" />
        <Avatar name="Ada Lovelace" isNamed />
        <Avatar name="mia@example.test" isNamed />
        <Mark />
        <Spinner label="Loading…" />
      </Group>
      <Group title="Notices">
        {(["info", "good", "warn", "bad"] as const).map((tone) => (
          <div key={tone} className={css.wide}>
            <Notice
              tone={tone}
              title={tone === "bad" ? "2 fields need attention" : undefined}
              action={tone === "warn" && <Button>Enable again</Button>}
            >
              Switched off after 5 failures in a row.
            </Notice>
          </div>
        ))}
      </Group>
      <Group title="Progress">
        <Progress label="Import" value={120} max={400} detail="120 of 400" />
        <Progress label="Backup" />
        <Spark label="Last 20 runs, 2 failed" values={runs} isMarked={(at) => at === 4 || at === 11} />
      </Group>
      <Group title="Loading and empty">
        <div>
          <Skeleton width="60%" height={20} />
          <br />
          <Skeleton height={12} />
          <br />
          <Skeleton width="80%" height={12} />
        </div>
        <div className={css.wide}>
          <EmptyState
            title="No posts yet"
            text="Posts are what visitors read in your blog. Write the first one."
            action={<Button variant="primary">New post</Button>}
          />
        </div>
      </Group>
    </>
  );
}
