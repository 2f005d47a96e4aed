// What the last commits of this process have changed in objects, by the version that each has moved its scope to. What was kept of a
// collection can then be found unchanged without a question. Every version in between must be known: a write of another
// process, or one that does not say what it changes, leaves a gap.

import type { ObjectChange, VersionScope } from "./port.ts";

/** Of one commit. */
const mostChanges = 100;
/** Of one scope. */
const mostCommits = 100;
/** Of all scopes; above it all are forgotten. */
const mostKept = 20_000;

/** What a transaction has touched, and what it has changed there; undefined where it does not say. */
export type Touched = Map<VersionScope, ObjectChange[] | undefined>;

export function addTouch(touched: Touched, scope: VersionScope, change: ObjectChange | undefined): void {
  const known = touched.get(scope);
  if (known && change && known.length < mostChanges) known.push(change);
  else touched.set(scope, change && !touched.has(scope) ? [change] : undefined);
}

/** Of the transactions of one commit. */
export function addTouched(touched: Touched, more: Touched): void {
  for (const [scope, changes] of more) {
    if (changes === undefined) touched.set(scope, undefined);
    else for (const change of changes) addTouch(touched, scope, change);
  }
}

interface Commits {
  /** The version that the last of them has moved the scope to; each of them has moved it by one. */
  last: number;
  changes: (readonly ObjectChange[])[];
}

export interface KnownChanges {
  /** `version`: that the commit has moved the scope to. */
  add(scope: VersionScope, version: number, changes: readonly ObjectChange[]): void;
  /** Those from one version to another, the oldest first; undefined where not all of them are known. */
  between(scope: VersionScope, from: number, to: number): readonly ObjectChange[] | undefined;
}

export function createKnownChanges(): KnownChanges {
  const scopes = new Map<VersionScope, Commits>();
  let kept = 0;
  return {
    add(scope, version, changes) {
      if (kept + changes.length > mostKept) {
        scopes.clear();
        kept = 0;
      }
      kept += changes.length;
      const known = scopes.get(scope);
      if (known?.last === version - 1) {
        known.last = version;
        known.changes.push(changes);
        if (known.changes.length > mostCommits) kept -= known.changes.shift()?.length ?? 0;
        return;
      }
      for (const former of known?.changes ?? []) kept -= former.length;
      scopes.set(scope, { last: version, changes: [changes] });
    },
    between(scope, from, to) {
      const known = scopes.get(scope);
      const count = to - from;
      // A version that is no number is older than any.
      if (known?.last !== to || !(count >= 0 && count <= known.changes.length)) return undefined;
      return known.changes.slice(known.changes.length - count).flat();
    },
  };
}
