const gap = 6;
const margin = 4;

/** Puts a floating element above what it belongs to, or below where there is no room, and inside the window. */
export function place(element: HTMLElement, anchor: DOMRect): void {
  const { width, height } = element.getBoundingClientRect();
  const middle = anchor.left + anchor.width / 2 - width / 2;
  const left = Math.max(margin, Math.min(middle, document.documentElement.clientWidth - width - margin));
  const above = anchor.top - height - gap;
  element.style.left = `${Math.round(left)}px`;
  element.style.top = `${Math.round(above >= margin ? above : anchor.bottom + gap)}px`;
}
