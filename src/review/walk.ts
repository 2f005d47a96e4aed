// What becomes of one object when a selection of its changes is taken back. Its changes are stepped through from the newest to
// the oldest selected one. Pure: it knows neither storage nor schema.
// For each property: where the newest change is not selected, it stays. Else the value before the run of selected changes comes
// back. Whether the object exists is decided by the same rule. A gap in the revisions is a change by nobody known.

import type { Json, JsonObject } from "#contract/json.ts";
import { kindOf } from "#storage/log/change-record.ts";
import type { ChangeWithContent } from "#storage/tables/history/changes.ts";

export type WalkedChange = Pick<ChangeWithContent, "seq" | "rev" | "kind" | "writer" | "props" | "content">;

/** What is found out about one property. */
export interface Fate {
  /** `walking`: in the run of selected changes; `ended`: below it. */
  state: "superseded" | "walking" | "ended";
  /** Some selected change touched it. */
  isSelected: boolean;
  /** Of a superseded one: its last writer, where that is known. */
  by: number | undefined;
  /** The value before the run; undefined: absent. */
  before: Json | undefined;
  /** That value is not kept. */
  isLost: boolean;
}

/** Whether the object was made or deleted by the selection. */
export interface Existence {
  isSelected: boolean;
  isRunning: boolean;
  /** The writer of the newest creation or deletion. */
  by: number;
  /** Before the run. */
  existed: boolean;
  /** Others have changed the object after the run began. */
  isEdited: boolean;
}

export interface Walk {
  step(change: WalkedChange): void;
  fates: ReadonlyMap<string, Fate>;
  existence(): Existence | undefined;
  /** The newest change is not recorded. */
  isUnknown(): boolean;
}

interface WalkOptions {
  /** Of the row; undefined: there is none. */
  rev: number | undefined;
  isSelected(change: WalkedChange): boolean;
  /** The present name of a property; undefined: it has no meaning any more. */
  nameOf(name: string): string | undefined;
}

export function createWalk({ rev, isSelected, nameOf }: WalkOptions): Walk {
  const fates = new Map<string, Fate>();
  let existence: Existence | undefined;
  let expected = rev;
  let isFirst = true;
  let hasGap = false;
  let isUnknown = false;
  let isEdited = false;

  function passGap(): void {
    hasGap = true;
    isEdited = true;
    if (isFirst) isUnknown = true;
    if (existence) existence.isRunning = false;
    for (const fate of fates.values()) if (fate.state === "walking") fate.state = "ended";
  }

  function stepExistence(change: WalkedChange, existed: boolean, isOwn: boolean): void {
    if (!existence) {
      const isRunning = isOwn && !hasGap;
      existence = { isSelected: isRunning, isRunning, by: change.writer, existed, isEdited };
    } else if (existence.isRunning) {
      if (isOwn) Object.assign(existence, { existed, isEdited });
      else existence.isRunning = false;
    }
  }

  function stepProperty(name: string, { change, isOwn, content }: PropertyStep): void {
    const present = nameOf(name);
    if (present === undefined) return;
    const fate = fates.get(present);
    const isKept = content !== undefined && (Object.hasOwn(content, name) || absentIn(content).includes(name));
    const before = isKept && Object.hasOwn(content, name) ? content[name] : undefined;
    if (!fate) {
      const isWalking = isOwn && !hasGap;
      const by = isOwn ? undefined : change.writer;
      const state = isWalking ? "walking" : "superseded";
      fates.set(present, { state, isSelected: isOwn, by, before, isLost: isWalking && !isKept });
      return;
    }
    if (isOwn) fate.isSelected = true;
    if (fate.state !== "walking") return;
    if (isOwn) Object.assign(fate, { before, isLost: !isKept });
    else fate.state = "ended";
  }

  return {
    fates,
    existence: () => existence,
    isUnknown: () => isUnknown,
    step(change) {
      const what = effectOf(change);
      // What a deletion left counts on from there, whether it came back or not.
      if (expected !== undefined && change.rev !== expected && what !== "deleted") passGap();
      if (isFirst && expected === undefined && what !== "deleted") passGap();
      isFirst = false;
      expected = change.rev - 1;
      const isOwn = isSelected(change);
      if (what !== "changed") stepExistence(change, what === "deleted", isOwn);
      else {
        const content = change.content === null ? undefined : (JSON.parse(change.content) as JsonObject);
        for (const name of namesOf(change)) stepProperty(name, { change, isOwn, content });
      }
      if (!isOwn) isEdited = true;
    },
  };
}

interface PropertyStep {
  change: WalkedChange;
  isOwn: boolean;
  content: JsonObject | undefined;
}

/** An object that came back is recorded as a restore or an undo without names. */
function effectOf({ kind, props }: WalkedChange): "made" | "deleted" | "changed" {
  const word = kindOf(kind);
  if (word === "delete") return "deleted";
  return word === "create" || props === null ? "made" : "changed";
}

function namesOf({ props }: WalkedChange): string[] {
  return props === null ? [] : (JSON.parse(props) as string[]);
}

function absentIn(content: JsonObject): Json[] {
  const names = content[""];
  return Array.isArray(names) ? names : [];
}
