// Short messages about what has just happened. Any code may leave one; `Toasts` shows them.

export interface Toast {
  id: number;
  tone: "good" | "bad";
  text: string;
  requestId?: string;
  action?: { label: string; onPress: () => void };
}

/** More at once would hide the page. */
const most = 4;

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function add(toast: Omit<Toast, "id">): number {
  last += 1;
  set([...toasts, { ...toast, id: last }].slice(-most));
  return last;
}

export const toast = {
  good: (text: string, { action }: Pick<Toast, "action"> = {}) => add({ tone: "good", text, action }),
  /** It stays until it is dismissed. */
  bad: (text: string, { requestId, action }: Pick<Toast, "requestId" | "action"> = {}) =>
    add({ tone: "bad", text, requestId, action }),
  dismiss: (id: number) => set(toasts.filter((shown) => shown.id !== id)),
};

export function currentToasts(): readonly Toast[] {
  return toasts;
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
