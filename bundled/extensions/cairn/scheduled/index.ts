// Shows a page only within a window of time. `page.data`: `scheduledFrom` and `scheduledUntil` are times; `beforeWindow` and
// `afterWindow` name a template or a path to lead to; left out: 404. The edge of the window ends the kept page.

interface Visit {
  page: { data?: Record<string, unknown> | null };
}
type Verdict = "go" | { redirect?: string; status?: number; template?: string; until?: string };
interface Cairn {
  pageStep(name: string, run: (visit: Visit) => Verdict): void;
}

export function register(cairn: Cairn): void {
  cairn.pageStep("window", ({ page }) => judge(page.data ?? {}, Date.now()));
}

function judge(data: Record<string, unknown>, now: number): Verdict {
  const [from, until] = [timeOf(data.scheduledFrom), timeOf(data.scheduledUntil)];
  if (from !== undefined && now < from) return elsewhere(data.beforeWindow, from);
  if (until !== undefined && now >= until) return elsewhere(data.afterWindow, undefined);
  return until === undefined ? "go" : { until: new Date(until).toISOString() };
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function elsewhere(shown: unknown, edge: number | undefined): Verdict {
  const until = edge === undefined ? {} : { until: new Date(edge).toISOString() };
  if (typeof shown !== "string" || shown === "") return { status: 404, ...until };
  return shown.startsWith("/") ? { redirect: shown, ...until } : { template: shown, ...until };
}
