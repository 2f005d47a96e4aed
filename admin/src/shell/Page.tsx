// The frame of a page: breadcrumbs, one h1, actions at its right, the page's own content. It sets the title of the window and
// takes the focus to the h1 when another page was opened.

import { useLocation, useMatch } from "@tanstack/react-router";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { noteRecent } from "#session/recent-pages.ts";
import { useStart } from "#session/start.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { type Target, TextLink } from "./links.tsx";
import styles from "./Page.module.css";
import { useTitle } from "./page-title.ts";

export interface Crumb extends Partial<Target> {
  label: string;
}

interface PageProps {
  /** Text of the h1. */
  title: string;
  /** From the group in the sidebar to the page above this one. */
  breadcrumbs?: Crumb[];
  /** Beside the h1: badges, counts. */
  status?: ReactNode;
  /** At the right of the h1. */
  actions?: ReactNode;
  /** Until its first data are there. */
  isBusy?: boolean;
  /** False where the caller may not see the page. */
  needs?: boolean;
  /** As wide as the window, for tables; else up to a readable width. */
  isWide?: boolean;
  children?: ReactNode;
}

export function Page({ needs = true, ...props }: PageProps) {
  const words = useWords(commonWords);
  if (needs) return <Frame {...props} isKept />;
  return (
    <Frame title={words.forbiddenTitle}>
      <p className={styles.text}>{words.forbiddenText}</p>
    </Frame>
  );
}

interface FrameProps extends PageProps {
  /** Among the recent pages. */
  isKept?: boolean;
}

function Frame(props: FrameProps) {
  const { title, breadcrumbs = [], status, actions, isBusy = false, isWide = false, isKept = false, children } = props;
  const { site, user } = useStart();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title, site.name);
  useFocusOnArrival(heading);
  const path = useOwnPath();
  useEffect(() => {
    if (isKept && !isBusy) noteRecent(user.id, { path, title });
  }, [isKept, isBusy, user.id, path, title]);
  return (
    <main id="main" className={isWide ? styles.wide : styles.page} aria-busy={isBusy} tabIndex={-1}>
      <header className={styles.header}>
        <Breadcrumbs crumbs={breadcrumbs} />
        <div className={styles.line}>
          <div className={styles.heading}>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {status}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      </header>
      {children}
    </main>
  );
}

function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  const words = useWords(commonWords);
  if (crumbs.length === 0) return null;
  return (
    <nav aria-label={words.breadcrumbs}>
      <ol className={styles.crumbs}>
        {crumbs.map(({ label, to, ...target }) => (
          <li key={label}>
            {to ? (
              <TextLink to={to} {...target}>
                {label}
              </TextLink>
            ) : (
              label
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The address of this page, also while the next one is still being fetched. */
function useOwnPath(): string {
  return useMatch({ strict: false, select: ({ pathname }) => pathname });
}

/** The first page of a visit leaves the focus to the browser. */
let lastPath: string | undefined;
/** The page whose h1 had the focus when its frame went, as one does that stood there until the data came. */
let unfocused: string | undefined;

function useFocusOnArrival(heading: RefObject<HTMLHeadingElement | null>): void {
  const pathname = useOwnPath();
  const state = useLocation({ select: (location) => location.state });
  const isNew = useRef(true);
  useLayoutEffect(() => {
    const element = heading.current;
    if (unfocused === pathname) element?.focus({ preventScroll: true });
    unfocused = undefined;
    return () => {
      if (element !== null && element === document.activeElement) unfocused = pathname;
    };
  }, [pathname, heading]);
  useEffect(() => {
    const isArrival = lastPath !== undefined && lastPath !== pathname;
    lastPath = pathname;
    const wasNew = isNew.current;
    isNew.current = false;
    if (!isArrival || state.keepFocus) return;
    // A page that has put the focus where it belongs, a table on the row one came from, knows better.
    const main = heading.current?.closest("main");
    if (wasNew && main?.contains(document.activeElement)) return;
    heading.current?.focus({ preventScroll: true });
  }, [pathname, state.keepFocus, heading]);
}
