// The website for those who build it: what is wrong with it, which addresses it has, where old ones lead, what is kept.

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useCan, useStart } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import { ButtonContent, buttonClass } from "#ui/Button.tsx";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { siteWords } from "#words/site.ts";
import { AddressesPart } from "./AddressesPart.tsx";
import { ChecksPart } from "./ChecksPart.tsx";
import { ErrorsPart } from "./ErrorsPart.tsx";
import { PageCachePart } from "./PageCachePart.tsx";
import { RedirectsPart } from "./RedirectsPart.tsx";
import css from "./site.module.css";
import { checksQuery, redirectsQuery, siteErrorsQuery, siteRoutesQuery } from "./site-calls.ts";

const pagesCollection = "builder-pages";

export function SitePage() {
  const words = useWords(siteWords);
  const { build } = useWords(shellWords);
  const can = useCan();
  const { site } = useStart();
  const isAllowed = can("read", "builder");
  // Routes and findings name pages.
  const readsPages = isAllowed && can("read", { objects: pagesCollection });
  const isLoading = [
    useQuery({ ...checksQuery, enabled: readsPages }).isLoading,
    useQuery({ ...siteErrorsQuery, enabled: isAllowed }).isLoading,
    useQuery({ ...siteRoutesQuery, enabled: readsPages }).isLoading,
    useInfiniteQuery({ ...redirectsQuery(""), enabled: isAllowed }).isLoading,
  ].includes(true);
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: build }]}
      needs={isAllowed}
      isBusy={isLoading}
      actions={
        <a className={buttonClass("plain")} href={site.url || "/"} target="_blank" rel="noopener">
          <ButtonContent icon={ExternalLink}>{words.open}</ButtonContent>
        </a>
      }
    >
      <div className={css.page}>
        {readsPages && <ChecksPart />}
        <ErrorsPart />
        {readsPages && <AddressesPart />}
        <RedirectsPart />
        {can("delete", { util: "cache" }) && <PageCachePart />}
      </div>
    </Page>
  );
}
