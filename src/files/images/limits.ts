// The ceilings of the image work, in one place. What an operator may set (`images.maxPixels`) comes with each job instead.

/** Of a source: refused from its header, before anything is decoded. */
export const maxSourceSide = 32_000;
export const maxSourceFrames = 500;

/** Above it, a moving image is made from its first frame alone. */
export const maxMovingFrames = 20;

/** Of a result, after every step. */
export const maxSide = 8_000;
export const maxArea = 40_000_000;
export const maxBorder = 1_000;

/** In which a drawing is tried out when it arrives. */
export const maxDrawnArea = 4_000_000;

export interface PoolLimits {
  /** A process has it to start, */
  startMs: number;
  /** and a job, whatever it uses of the processor, to end: then the machine is too busy. */
  clockMs: number;
  /** Above it, on the clock and on the processor, a job ends with its process. */
  jobMs: number;
  /** The same for a drawing, */
  drawingMs: number;
  /** and for one that arrives. */
  newDrawingMs: number;
  /** A process without work ends after it. */
  idleMs: number;
  /** Images that may wait to be made, and as many to be read; one more is turned away. */
  waiting: number;
  /** Drawings among them. */
  waitingDrawings: number;
  /** A process that has grown over it is replaced after its job, */
  keepBytes: number;
  /** and over this one at once. */
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
