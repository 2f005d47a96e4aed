// The routes of the site, and who answers an address.

import type { SiteAnswerInfo, SiteRouteInfo } from "@contract/site.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleAlert, CornerDownRight, TriangleAlert } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCan, useStart } from "#session/start.ts";
import { Failed, Problem } from "#shell/LoadState.tsx";
import { LinkButton, TextLink } from "#shell/links.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { SearchInput } from "#ui/SearchInput.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useDelayed } from "#ui/useDelayed.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { siteWords } from "#words/site.ts";
import { TemplateLink } from "./ChecksPart.tsx";
import { Part } from "./Part.tsx";
import css from "./site.module.css";
import { resolvePath, siteRoutesQuery } from "./site-calls.ts";

const shownAtOnce = 100;
const fewRoutes = 8;
const pagesCollection = "builder-pages";

export function AddressesPart() {
  const words = useWords(siteWords);
  const known = useQuery(siteRoutesQuery);
  const isSlow = useDelayed(known.isPending, 300);
  return (
    <Part title={words.addresses} text={words.addressesText}>
      {known.data ? (
        <Routes all={known.data} />
      ) : known.isError ? (
        <Failed error={known.error} onRetry={() => void known.refetch()} />
      ) : (
        isSlow && <Skeleton height="10rem" />
      )}
      <WhoAnswers />
    </Part>
  );
}

function Routes({ all }: { all: SiteRouteInfo[] }) {
  const words = useWords(siteWords);
  const can = useCan();
  const [typed, setTyped] = useState("");
  const columns = useColumns();
  const sought = typed.trim().toLowerCase();
  const matching = useMemo(
    () =>
      all.filter(({ route, id, title, template }) =>
        [route, id, title, template].some((text) => text.toLowerCase().includes(sought)),
      ),
    [all, sought],
  );
  const shown = matching.slice(0, shownAtOnce);
  if (all.length === 0)
    return (
      <Slab>
        <EmptyState
          title={words.noAddresses}
          level={3}
          text={words.noAddressesText}
          action={
            can("create", { objects: pagesCollection }) && (
              <LinkButton to="/admin/collections/$collection/-new" params={{ collection: pagesCollection }}>
                {words.newPage}
              </LinkButton>
            )
          }
        />
      </Slab>
    );
  return (
    <>
      {all.length > fewRoutes && (
        <div className={css.search}>
          <SearchInput label={words.filter} placeholder={words.filter} value={typed} onChange={setTyped} />
        </div>
      )}
      <RecordGrid
        label={words.addresses}
        columns={columns}
        rows={shown}
        idOf={({ kind, id }) => `${kind}/${id}`}
        nameOf={({ route, id }) => route || id}
        empty={<p role="status">{words.noAddressMatches}</p>}
        footer={
          <p role="status">
            {matching.length > shown.length
              ? words.firstOf(formatNumber(shown.length), formatNumber(matching.length))
              : words.addressCount(matching.length)}
          </p>
        }
      />
    </>
  );
}

function useColumns(): RecordColumn<SiteRouteInfo>[] {
  const words = useWords(siteWords);
  const nameOf = useNames();
  return [
    {
      id: "route",
      label: words.route,
      sortBy: ({ route }) => route,
      cell: ({ route }) =>
        route === "" ? <span className={css.quiet}>{words.noRoute}</span> : <code className={css.mono}>{route}</code>,
    },
    {
      id: "shows",
      label: words.shows,
      cell: ({ kind, id, title, collection }) => (
        <span className={css.lines}>
          {kind === "page" ? (
            <TextLink to="/admin/collections/$collection/$id" params={{ collection: pagesCollection, id }}>
              {title || id}
            </TextLink>
          ) : (
            <TextLink to="/admin/collections/$collection" params={{ collection: id }}>
              {words.objectsOf(nameOf(id))}
            </TextLink>
          )}
          {kind === "page" && collection !== "" && <span className={css.quiet}>{words.oneOf(nameOf(collection))}</span>}
        </span>
      ),
    },
    {
      id: "template",
      label: words.template,
      cell: ({ template }) =>
        template === "" ? (
          <span className={css.quiet}>–</span>
        ) : (
          <TemplateLink id={template.startsWith("pages/") ? template : `pages/${template}`} line={0} />
        ),
    },
    { id: "state", label: words.state, cell: (route) => <State route={route} /> },
  ];
}

function State({ route: { status, draft, problem, clashes } }: { route: SiteRouteInfo }) {
  const words = useWords(siteWords);
  return (
    <span className={css.lines}>
      <span className={css.badges}>
        {draft && <Badge tone="neutral">{words.draft}</Badge>}
        {problem !== "" && (
          <Badge tone="bad" icon={CircleAlert}>
            {words.problem}
          </Badge>
        )}
        {clashes.length > 0 && (
          <Badge tone="warn" icon={TriangleAlert}>
            {words.clash}
          </Badge>
        )}
        {!draft && problem === "" && clashes.length === 0 && (
          <Badge tone={status === 200 ? "good" : "neutral"}>{status === 200 ? words.ready : String(status)}</Badge>
        )}
      </span>
      {problem !== "" && <span className={css.text}>{problem}</span>}
      {clashes.length > 0 && <span className={css.text}>{words.clashesWith(clashes.join(", "))}</span>}
    </span>
  );
}

function useNames(): (collection: string) => string {
  const { collections } = useStart();
  return (id) => collections.find((one) => one.id === id)?.name ?? id;
}

function WhoAnswers() {
  const words = useWords(siteWords);
  const [path, setPath] = useState("");
  const asking = useMutation({ mutationFn: resolvePath });
  const refused = asking.error instanceof ApiError ? asking.error.details.path?.join(". ") : undefined;
  const ask = () => path.trim() !== "" && asking.mutate(path.trim());
  return (
    <Slab className={css.slab}>
      <h3 className={css.subtitle}>{words.who}</h3>
      <form
        className={css.ask}
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <TextInput
          label={words.address}
          description={words.addressHelp}
          value={path}
          onChange={setPath}
          error={refused}
          placeholder="/"
          autoComplete="off"
          isMono
        />
        <Button type="submit" isPending={asking.isPending}>
          {words.ask}
        </Button>
      </form>
      {asking.error && refused === undefined && <Problem error={asking.error} />}
      {asking.data && <Answer answer={asking.data} />}
    </Slab>
  );
}

function Answer({ answer }: { answer: SiteAnswerInfo }) {
  const words = useWords(siteWords);
  const nameOf = useNames();
  const { kind, status, page, collection, object, template, target, params, steps } = answer;
  const facts: [string, ReactNode][] = [];
  if (page !== "")
    facts.push([
      words.answers.page,
      <TextLink to="/admin/collections/$collection/$id" params={{ collection: pagesCollection, id: page }} key="page">
        {page}
      </TextLink>,
    ]);
  if (object !== "")
    facts.push([
      words.object,
      <TextLink to="/admin/collections/$collection/$id" params={{ collection, id: object }} key="object">
        {`${nameOf(collection)} › ${object}`}
      </TextLink>,
    ]);
  if (template !== "") facts.push([words.template, <TemplateLink id={template} line={0} key="template" />]);
  if (target !== "") facts.push([words.target, <code key="target">{target}</code>]);
  const given = Object.entries(params);
  if (given.length > 0)
    facts.push([words.parameters, <code key="params">{given.map((one) => one.join("=")).join(", ")}</code>]);
  return (
    <section className={css.answer} aria-label={words.answer} aria-live="polite">
      <p className={css.badges}>
        <Badge tone={status < 300 ? "good" : status < 400 ? "info" : "warn"}>{String(status)}</Badge>
        <strong>{words.answers[kind]}</strong>
      </p>
      {facts.length > 0 && (
        <dl className={css.facts}>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {steps.length > 0 && (
        <details>
          <summary>{words.steps}</summary>
          <ol className={css.steps}>
            {steps.map((step) => (
              <li key={step}>
                <CornerDownRight aria-hidden="true" size={14} />
                {step}
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}
