// What was found about templates, routes and pages, errors first, each with what to do.

import type { SiteFinding } from "@contract/site.ts";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, Info, RotateCw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useCommand } from "#session/commands.ts";
import { Failed } from "#shell/LoadState.tsx";
import { TextLink } from "#shell/links.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { useWords } from "#words/language.ts";
import { siteWords } from "#words/site.ts";
import { Part } from "./Part.tsx";
import css from "./site.module.css";
import { checksQuery } from "./site-calls.ts";

const shownAtFirst = 10;
const looks = {
  error: { tone: "bad", icon: CircleAlert },
  warning: { tone: "warn", icon: TriangleAlert },
  hint: { tone: "info", icon: Info },
} as const;

export function ChecksPart() {
  const words = useWords(siteWords);
  const checks = useQuery(checksQuery);
  const isSlow = useDelayed(checks.isPending, 300);
  const again = () => void checks.refetch();
  useCommand({ id: "check-site", label: words.checkAgain, run: again });
  return (
    <Part
      title={words.checks}
      text={words.checksText}
      actions={
        <Button icon={RotateCw} isPending={checks.isFetching && !checks.isPending} onPress={again}>
          {words.checkAgain}
        </Button>
      }
    >
      {checks.data ? (
        <Findings findings={checks.data} />
      ) : checks.isError ? (
        <Failed error={checks.error} onRetry={again} />
      ) : (
        isSlow && <Skeleton height="6rem" />
      )}
    </Part>
  );
}

function Findings({ findings }: { findings: SiteFinding[] }) {
  const words = useWords(siteWords);
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? findings : findings.slice(0, shownAtFirst);
  const rest = findings.length - shown.length;
  if (findings.length === 0)
    return (
      <div role="status">
        <Notice tone="good">{words.allGood}</Notice>
      </div>
    );
  return (
    <Slab className={css.slab}>
      <p role="status" className={css.text}>
        {words.found(findings.length)}
      </p>
      <ul className={css.findings} aria-label={words.checks}>
        {shown.map((finding, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings have no id, and the list is replaced as a whole
          <Finding key={at} finding={finding} />
        ))}
      </ul>
      {rest > 0 && (
        <div>
          <Button variant="quiet" onPress={() => setIsWhole(true)}>
            {words.more(rest)}
          </Button>
        </div>
      )}
    </Slab>
  );
}

function Finding({ finding: { level, message, cure, template, page, line } }: { finding: SiteFinding }) {
  const words = useWords(siteWords);
  return (
    <li>
      <span>
        <Badge {...looks[level]}>{words.levels[level]}</Badge>
      </span>
      <div className={css.finding}>
        <span>{message}</span>
        {cure !== "" && (
          <span className={css.text}>
            {words.cure}: {cure}
          </span>
        )}
        {template !== "" && <TemplateLink id={template} line={line} />}
        {page !== "" && (
          <TextLink to="/admin/collections/$collection/$id" params={{ collection: "builder-pages", id: page }}>
            {words.page(page)}
          </TextLink>
        )}
      </div>
    </li>
  );
}

export function TemplateLink({ id, line }: { id: string; line: number }) {
  const words = useWords(siteWords);
  return (
    <TextLink to="/admin/templates/$" params={{ _splat: id }} className={css.mono}>
      {words.inTemplate(id, line)}
    </TextLink>
  );
}
