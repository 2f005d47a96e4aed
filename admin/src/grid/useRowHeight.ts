// The height of a row, as the density and the pointer ask for.

import { useSyncExternalStore } from "react";

function read(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row")) || 44;
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-density"] });
  const pointer = matchMedia("(pointer: coarse)");
  pointer.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    pointer.removeEventListener("change", listener);
  };
}

export function useRowHeight(): number {
  return useSyncExternalStore(subscribe, read);
}
