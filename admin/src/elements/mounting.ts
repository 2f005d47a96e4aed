// What an element and a frame have in common.

import type { AdminStart } from "@contract/admin.ts";
import type { AdminApi } from "./admin-api.ts";
import type { ElementPart } from "./part.ts";

export const elementEvents = ["cairn-change", "cairn-busy", "cairn-invalid", "cairn-title"] as const;

/** What the element says. */
export interface ElementEvent {
  name: (typeof elementEvents)[number];
  detail: Record<string, unknown> | undefined;
}

export interface Mounting {
  part: ElementPart;
  container: HTMLElement;
  api: AdminApi;
  start: () => AdminStart;
  /** As they are now. */
  properties: () => Record<string, unknown>;
  /** Name of a frame. */
  title: string;
  hear: (event: ElementEvent) => void;
  /** It was shown, and failed later. */
  fail: (error: unknown) => void;
}

export interface Mounted {
  set(properties: Record<string, unknown>): void;
  remove(): void;
}
