// The state of the service: what is checked, with a cure for what is not right, and what this installation is made of.

import type { SystemCheck, SystemReport } from "@contract/admin.ts";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, RotateCw, TriangleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useCommand } from "#session/commands.ts";
import { useCan } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Page } from "#shell/Page.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Progress } from "#ui/Progress.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { commonWords } from "#words/common.ts";
import { formatBytes, formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { systemWords } from "#words/system.ts";
import css from "./system.module.css";

export function SystemPage() {
  const words = useWords(systemWords);
  const isAdmin = useCan()("read", "admin");
  const report = useQuery({
    queryKey: ["system"],
    queryFn: ({ signal }) => askData<SystemReport>(routes.system, { signal }),
    enabled: isAdmin,
  });
  const renew = () => void report.refetch();
  useCommand(isAdmin ? { id: "check-system", label: words.checkAgain, run: renew } : undefined);
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: words.manage }]}
      needs={isAdmin}
      isBusy={report.isLoading}
      actions={
        <Button icon={RotateCw} isPending={report.isFetching && !report.isLoading} onPress={renew}>
          {words.checkAgain}
        </Button>
      }
    >
      {report.isLoading && <Skeleton height="16rem" />}
      {report.isError && !report.data && <Failed error={report.error} onRetry={renew} />}
      {report.data && (
        <div className={css.page}>
          <Checks checks={report.data.checks} />
          <Installation report={report.data} />
        </div>
      )}
    </Page>
  );
}

const icons = { good: CircleCheck, warn: TriangleAlert, bad: CircleX };
const order: SystemCheck["level"][] = ["bad", "warn", "good"];

function Checks({ checks }: { checks: SystemCheck[] }) {
  const words = useWords(systemWords);
  const sorted = checks.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  const open = checks.filter(({ level }) => level !== "good").length;
  return (
    <Part title={words.checks} text={open === 0 ? words.allGood : words.found(open)}>
      <ul className={css.checks} aria-label={words.checks}>
        {sorted.map(({ id, level, message, cure }) => (
          <li key={id}>
            <span className={css.level}>
              <Badge tone={level} icon={icons[level]}>
                {words.levels[level]}
              </Badge>
            </span>
            <span>
              {message}
              {cure !== "" && (
                <span className={css.cure}>
                  <span className={css.quiet}>{words.cure}: </span>
                  {cure}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Installation({ report }: { report: SystemReport }) {
  const words = useWords(systemWords);
  const { version, edition, node, engine, files, dataDir, projectDir, uptimeSeconds, disk, counts } = report;
  const inWords = (Object.keys(words.counts) as (keyof typeof words.counts)[]).map((name) =>
    words.counts[name](counts[name]),
  );
  return (
    <Part title={words.installation}>
      <dl className={css.facts}>
        <Fact label={words.version}>{version}</Fact>
        <Fact label={words.edition}>{edition}</Fact>
        <Fact label={words.engine}>{words.engines[engine] ?? engine}</Fact>
        <Fact label={words.node}>{node}</Fact>
        <Fact label={words.uptime}>{durationOf(uptimeSeconds, words)}</Fact>
        <Fact label={words.content}>{formatList(inWords)}</Fact>
        <Fact label={words.files}>{words.stores[files] ?? files}</Fact>
        <PathFact label={words.dataDir} path={dataDir} />
        <PathFact label={words.projectDir} path={projectDir} />
        {disk && (
          <Fact label={words.disk}>
            <div className={css.disk}>
              {words.free(formatBytes(disk.free), formatBytes(disk.total))}
              <Progress label={words.used} isLabelHidden value={disk.total - disk.free} max={disk.total} />
            </div>
          </Fact>
        )}
      </dl>
    </Part>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PathFact({ label, path }: { label: string; path: string }) {
  const words = useWords(systemWords);
  const { copied } = useWords(commonWords);
  return (
    <Fact label={label}>
      <code className={css.path}>{path}</code>
      <CopyButton text={path} label={words.copyPath(label)} copiedLabel={copied} isIconOnly />
    </Fact>
  );
}

function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <Slab as="section" aria-labelledby={id} className={css.part}>
      <div>
        <h2 id={id}>{title}</h2>
        {text && <p className={css.quiet}>{text}</p>}
      </div>
      {children}
    </Slab>
  );
}

/** The two largest parts: "3 days, 4 hours". */
function durationOf(seconds: number, words: (typeof systemWords)["en"]): string {
  const minutes = Math.floor(seconds / 60);
  const parts: [count: number, text: (count: number) => string][] = [
    [Math.floor(minutes / 1_440), words.duration.days],
    [Math.floor(minutes / 60) % 24, words.duration.hours],
    [minutes % 60, words.duration.minutes],
  ];
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.length === 0 ? words.lessThanAMinute : shown.map(([count, text]) => text(count)).join(", ");
}
