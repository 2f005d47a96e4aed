// The pages that somebody has opened last on this device, for the command palette.

export interface RecentPage {
  /** Without its query. */
  path: string;
  title: string;
}

const most = 10;
const keyOf = (user: string) => `cairn:recent:${user}`;

export function recentPages(user: string): RecentPage[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(user)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRecentPage) : [];
  } catch {
    return [];
  }
}

/** Tables and objects only: the other pages are few and always in sight. */
export function noteRecent(user: string, page: RecentPage): void {
  if (!/^\/admin\/collections\/[^/-][^/]*(\/[^/-][^/]*)?$/.test(page.path) || page.title === "") return;
  const others = recentPages(user).filter(({ path }) => path !== page.path);
  try {
    localStorage.setItem(keyOf(user), JSON.stringify([page, ...others].slice(0, most)));
  } catch {
    // Only the memory of recent pages is lost.
  }
}

function isRecentPage(value: unknown): value is RecentPage {
  const { path, title } = (value ?? {}) as Partial<RecentPage>;
  return typeof path === "string" && path.startsWith("/admin/") && typeof title === "string";
}
