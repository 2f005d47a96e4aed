// How much work a query is tried with. Used by the threads of the embedded engine too, so it knows nothing else.

export const sliceMs = 25;
/** A slice is of work: a query that waits for the disk, or on a busy machine, may take so many times longer by the clock. */
export const sliceWaitFactor = 20;
