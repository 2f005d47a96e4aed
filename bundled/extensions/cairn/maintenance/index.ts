// While it is enabled, every page is answered with 503 and a message. Users who are signed in pass.

interface Visit {
  user: object | null;
}
interface Cairn {
  settings: { get(key: string): unknown };
  pageStep(name: string, run: (visit: Visit) => unknown): void;
}

export function register(cairn: Cairn): void {
  cairn.pageStep("closed", (visit) => {
    if (visit.user !== null) return "go";
    const minutes = Number(cairn.settings.get("retryAfterMinutes")) || 60;
    const message = String(cairn.settings.get("message") ?? "");
    return {
      status: 503,
      template: "ext/cairn/maintenance/page",
      headers: { "retry-after": String(minutes * 60) },
      data: { message },
    };
  });
}
