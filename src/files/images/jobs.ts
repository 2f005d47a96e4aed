// Messages between the pool and its processes: paths and facts, never pixels.

import type { ErrorWord } from "#base/errors.ts";
import type { ImageFacts, ImageRecipe } from "#files/image-types.ts";

export interface Wanted {
  exif: boolean;
  palette: boolean;
  location: boolean;
}

/** `isDrawing`: detected by a process; a drawing may take any time, whatever its size. */
export type Job = { source: string; maxPixels: number; isDrawing?: boolean } & (
  | { kind: "make"; recipe: ImageRecipe; target: string }
  | { kind: "inspect"; want: Wanted }
  | { kind: "to-jpeg"; target: string }
);

export interface Made {
  size: number;
  width: number;
  height: number;
}

export type Outcome = Made | ImageFacts | undefined;

/** A spent process keeps state of its last job that must not reach the next. */
type State = { rss: number; isSpent: boolean };

export type Answer =
  | { kind: "ready" }
  /** Instead of doing the job: it must be queued with the drawings. */
  | { kind: "drawing" }
  | ({ kind: "done"; outcome: Outcome } & State)
  /** `cause` is for the log only. */
  | ({ kind: "failed"; word: ErrorWord; message: string; cause: string } & State);
