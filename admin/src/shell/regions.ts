// F6: the focus goes from one part of the page to the next, in the order in which they stand.

const parts = "nav[aria-label], main, [role=toolbar], [role=region]";

export function focusNextRegion(): void {
  const regions = [...document.querySelectorAll<HTMLElement>(parts)].filter(
    (region) =>
      region.checkVisibility() && region.textContent !== "" && !region.parentElement?.closest("nav, [role=toolbar]"),
  );
  const at = regions.findLastIndex((region) => region.contains(document.activeElement));
  const next = regions[(at + 1) % regions.length];
  if (!next) return;
  const target =
    next.tagName === "MAIN"
      ? next.querySelector<HTMLElement>("h1")
      : next.querySelector<HTMLElement>("a, button, input");
  (target ?? next).focus();
}
