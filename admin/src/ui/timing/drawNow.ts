// Draws a change at once, for a focus that has to go where the change leads.

import { flushSync } from "react-dom";

export function drawNow(change: () => void): void {
  flushSync(change);
}
