// What moves the page waits while a pointer is pressed: what was pressed would no longer lie below it when it is let go.

let isPressed = false;
const waiting = new Set<() => void>();

function release(): void {
  isPressed = false;
  // The click comes after the pointer is up.
  setTimeout(() => {
    const ready = [...waiting];
    waiting.clear();
    for (const run of ready) run();
  });
}

addEventListener(
  "pointerdown",
  () => {
    isPressed = true;
  },
  { capture: true },
);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { capture: true });

/** At once, or when the pointer is up. */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.add(run);
  else run();
}
