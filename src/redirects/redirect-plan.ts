// What storing redirects does to all of them. Pure. Chains are made flat, so that a visitor is sent on once; circles are
// refused. Steps through patterns stay: pages below them come first, so where such a step leads differs from path to path.

import type { RedirectStatus } from "#contract/redirects.ts";
import { findPattern } from "./find-redirect.ts";
import { isPattern, pathOfTarget, prefixOf, statusOfChain, type Target } from "./redirect-paths.ts";

export interface PlannedRedirect extends Target {
  source: string;
  status: RedirectStatus;
}

export interface RedirectPlan<R extends PlannedRedirect> {
  /** The problem; undefined: it is part of the plan. */
  put(redirect: R): string | undefined;
  remove(source: string): void;
  find(source: string): R | undefined;
  /** Those that differ from what is stored. */
  changed(): R[];
  readonly size: number;
}

/** Circles of patterns can grow with each step. */
const maxSteps = 50;

/** `stored`: all that there are. */
export function planRedirects<R extends PlannedRedirect>(stored: Iterable<R>): RedirectPlan<R> {
  const bySource = new Map<string, R>();
  const patterns = new Map<string, R & { id: string; origin: string }>();
  /** Sources by the path that they lead to. */
  const leading = new Map<string, Set<string>>();
  const changed = new Set<string>();
  for (const redirect of stored) set(redirect);

  function set(redirect: R): void {
    remove(redirect.source);
    bySource.set(redirect.source, redirect);
    if (isPattern(redirect.source)) patterns.set(prefixOf(redirect.source), { id: "", origin: "", ...redirect });
    if (redirect.targetPath === null) return;
    const sources = leading.get(redirect.targetPath) ?? new Set();
    leading.set(redirect.targetPath, sources.add(redirect.source));
  }

  function remove(source: string): void {
    const known = bySource.get(source);
    bySource.delete(source);
    if (isPattern(source)) patterns.delete(prefixOf(source));
    if (known?.targetPath) leading.get(known.targetPath)?.delete(source);
  }

  /** Whether a visitor of the target comes back to the source. */
  function isCircle({ source, target }: R): boolean {
    // A pattern that leads to one page may match that page; the page comes first.
    const isFixed = (redirect: { target: string }) => !redirect.target.includes(":splat");
    let path = pathOfTarget(target.replaceAll(":splat", "splat"));
    for (let step = 0; path !== undefined && step < maxSteps; step += 1) {
      if (path === source) return true;
      const exact = bySource.get(path);
      const pattern = exact ? undefined : findPattern({ patterns }, path);
      if (!exact && !pattern) return false;
      const matched = pattern && longestPrefix(path);
      if (matched !== undefined && isFixed(patterns.get(matched) as R)) return false;
      if (matched !== undefined && `${matched}/*` === source) return true;
      path = pathOfTarget((exact ?? pattern)?.target ?? "");
    }
    return path !== undefined;
  }

  function longestPrefix(path: string): string {
    let prefix = path === "/" ? "" : path;
    while (!patterns.has(prefix)) prefix = prefix.slice(0, prefix.lastIndexOf("/"));
    return prefix;
  }

  /** To where the redirect from its target leads, if there is one. */
  function flat(redirect: R): R {
    const next = redirect.targetPath === null ? undefined : bySource.get(redirect.targetPath);
    if (!next || next.status === 410) return redirect;
    const { target, targetPath } = next;
    return { ...redirect, target, targetPath, status: statusOfChain(redirect.status, next.status) };
  }

  return {
    put(redirect) {
      const before = bySource.get(redirect.source);
      if (redirect.status !== 410) {
        if (redirect.targetPath === redirect.source) return "leads to itself";
        set(redirect);
        if (isCircle(redirect)) {
          if (before) set(before);
          else remove(redirect.source);
          return "makes a circle: the target leads back to the source";
        }
      }
      const stored = redirect.status === 410 ? redirect : flat(redirect);
      set(stored);
      changed.add(stored.source);
      if (stored.status === 410) return undefined;
      for (const source of [...(leading.get(stored.source) ?? [])]) {
        set(flat(bySource.get(source) as R));
        changed.add(source);
      }
      return undefined;
    },
    remove(source) {
      remove(source);
      changed.delete(source);
    },
    find: (source) => bySource.get(source),
    changed: () => [...changed].map((source) => bySource.get(source) as R),
    get size() {
      return bySource.size;
    },
  };
}
