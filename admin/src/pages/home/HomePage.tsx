// Where one arrives: what waits for this person, what has happened, what this site is. An empty site shows the first steps.

import type { Attention, FoundObject } from "@contract/admin.ts";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { authorText } from "#session/author.ts";
import { useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { contentCollections } from "#shell/sidebar/categories.ts";
import { Icon } from "#ui/Icon.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { authorWords } from "#words/authors.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { homeWords } from "#words/home.ts";
import { useWords } from "#words/language.ts";
import { FirstSteps } from "./FirstSteps.tsx";
import styles from "./HomePage.module.css";
import { KeptList } from "./KeptList.tsx";

const recentCount = 10;

export function HomePage() {
  const words = useWords(homeWords);
  const { attention, collections } = useStart();
  const isEmpty = contentCollections(collections).every(({ count }) => count === 0);
  return (
    <Page title={words.title}>
      {isEmpty ? (
        <FirstSteps />
      ) : (
        <div className={styles.grid}>
          <Part title={words.continue}>
            <KeptList />
          </Part>
          <Part title={words.attention}>
            <AttentionList attention={attention} />
          </Part>
          <Part title={words.recent}>
            <RecentList />
          </Part>
          <Part title={words.site}>
            <SiteFacts />
          </Part>
        </div>
      )}
    </Page>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Slab as="section" aria-labelledby={id} className={styles.part}>
      <h2 id={id}>{title}</h2>
      {children}
    </Slab>
  );
}

const kindsOfAttention = [
  ...(["siteErrors", "failedJobs", "disabledAutomations", "failedDeliveries", "stoppedExtensions"] as const),
];

function AttentionList({ attention }: { attention: Attention }) {
  const words = useWords(homeWords);
  const failing = kindsOfAttention.filter((name) => attention[name]);
  if (failing.length === 0) return <p className={styles.none}>{words.attentionNone}</p>;
  return (
    <ul className={styles.list}>
      {failing.map((name) => (
        <li key={name} className={styles.failing}>
          <Icon of={TriangleAlert} />
          {words[name](attention[name] as number)}
        </li>
      ))}
    </ul>
  );
}

function RecentList() {
  const words = useWords(homeWords);
  const authors = useWords(authorWords);
  const { collections } = useStart();
  const recent = useQuery({
    queryKey: ["recent"],
    queryFn: ({ signal }) => askData<FoundObject[]>(routes.recent, { query: { limit: recentCount }, signal }),
  });
  if (recent.isError && !recent.data) return <Failed error={recent.error} onRetry={() => void recent.refetch()} />;
  if (!recent.data) return <Skeleton height="8rem" />;
  if (recent.data.length === 0) return <p className={styles.none}>{words.recentNone}</p>;
  return (
    <ul className={styles.list}>
      {recent.data.map(({ collection, id, title, modified, by }) => (
        <li key={`${collection}/${id}`}>
          <TextLink to="/admin/collections/$collection/$id" params={{ collection, id }} className={styles.title}>
            {title || id}
          </TextLink>
          <span className={styles.detail}>{collections.find((own) => own.id === collection)?.name ?? collection}</span>
          {by && <span className={styles.detail}>{authorText(by, authors)}</span>}
          <time className={styles.detail} dateTime={modified} title={formatDateTime(modified)}>
            {formatAgo(modified)}
          </time>
        </li>
      ))}
    </ul>
  );
}

function SiteFacts() {
  const words = useWords(homeWords);
  const { site, collections, can } = useStart();
  const own = contentCollections(collections);
  const objects = own.reduce((sum, { count }) => sum + count, 0);
  const facts: [name: string, value: ReactNode][] = [
    [words.content, `${words.collections(own.length)}, ${words.objects(objects)}`],
    [
      words.address,
      <a key="address" href={site.url}>
        {site.url}
      </a>,
    ],
    [words.version, words.versionOf(site.version, site.edition)],
    [words.environment, site.environment],
    [words.timezone, site.timezone],
  ];
  if (can.admin) facts.push([words.mail, site.mail ? words.on : words.off]);
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
