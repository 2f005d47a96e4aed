// The limits of image processing, in one place. Limits that an operator may set (`images.maxPixels`) come with each job instead.

/** Of a source: checked in its header, before anything is decoded. */
export const maxSourceSide = 32_000;
export const maxSourceFrames = 500;

/** Above it, only the first frame of an animated image is used. */
export const maxMovingFrames = 20;

/** Of a result, after every step. */
export const maxSide = 8_000;
export const maxArea = 40_000_000;
export const maxBorder = 1_000;

/** The size in which an uploaded drawing is test-drawn. */
export const maxDrawnArea = 4_000_000;

export interface PoolLimits {
  /** Time for a process to start, */
  startMs: number;
  /** and for a job to end by the clock: beyond it the machine is too busy. */
  clockMs: number;
  /** Time of a job, on the clock and on the processor; beyond it the job ends with its process. */
  jobMs: number;
  /** The same for a drawing, */
  drawingMs: number;
  /** and for an uploaded one. */
  newDrawingMs: number;
  /** An idle process ends after it. */
  idleMs: number;
  /** Images that may wait to be made, and uploads to be read; one more is refused. */
  waiting: number;
  /** Drawings among them. */
  waitingDrawings: number;
  /** A process above this memory is replaced after its job, */
  keepBytes: number;
  /** and above this one at once. */
  killBytes: number;
}

export const poolLimits: PoolLimits = {
  startMs: 60_000,
  clockMs: 90_000,
  jobMs: 20_000,
  drawingMs: 8_000,
  newDrawingMs: 4_000,
  idleMs: 60_000,
  waiting: 64,
  waitingDrawings: 16,
  keepBytes: 700 * 1_048_576,
  killBytes: 1_400 * 1_048_576,
};
