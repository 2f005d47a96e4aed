// Tooltips: one element for the whole page, for whatever carries `data-tip`. Shown after a moment of hovering and at once on
// keyboard focus, closed by Esc, and kept while the pointer is on it. It lies in the browser's top layer, above every dialog.

import { place } from "./place.ts";
import css from "./Tooltip.module.css";

const hoverDelay = 500;
const leaveDelay = 120;

let tip: HTMLElement | undefined;
let owner: Element | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

function makeTip(): HTMLElement {
  const made = document.createElement("div");
  made.className = css.tip ?? "";
  made.popover = "manual";
  // Screen readers have the same words as the name or the description of the element.
  made.ariaHidden = "true";
  made.addEventListener("pointerenter", () => clearTimeout(timer));
  made.addEventListener("pointerleave", hideSoon);
  document.body.append(made);
  return made;
}

function show(element: Element): void {
  const text = element.getAttribute("data-tip");
  if (!text || !element.isConnected) return;
  tip ??= makeTip();
  owner = element;
  tip.textContent = text;
  tip.lang = element.closest<HTMLElement>("[lang]")?.lang ?? "";
  tip.showPopover();
  place(tip, element.getBoundingClientRect());
}

function hide(): void {
  clearTimeout(timer);
  owner = undefined;
  if (tip?.matches(":popover-open")) tip.hidePopover();
}

function hideSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(hide, leaveDelay);
}

const ownerOf = (target: EventTarget | null) =>
  target instanceof Element ? (target.closest("[data-tip]") ?? undefined) : undefined;

document.addEventListener("pointerover", ({ target, pointerType }) => {
  if (pointerType !== "mouse" || (tip && target === tip)) return;
  const found = ownerOf(target);
  if (found === owner) {
    if (found) clearTimeout(timer);
    return;
  }
  clearTimeout(timer);
  if (found) timer = setTimeout(() => show(found), owner ? 0 : hoverDelay);
  else if (owner) hideSoon();
});
document.addEventListener("focusin", ({ target }) => {
  const found = ownerOf(target);
  if (found?.matches(":focus-visible") && found === target) show(found);
  else if (owner) hide();
});
document.addEventListener("focusout", hide);
document.addEventListener("pointerdown", hide);
document.addEventListener("scroll", hide, { capture: true, passive: true });
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && owner) hide();
});
