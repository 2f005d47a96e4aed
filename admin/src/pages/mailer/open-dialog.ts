// Which dialog of a mail is open, by the address.

import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Search } from "#shell/paths.ts";

const dialogs = ["preview", "test", "send", "bulk"] as const;
export type MailDialog = (typeof dialogs)[number];

export function useOpenDialog(): { open: MailDialog | undefined; setOpen: (open: MailDialog | undefined) => void } {
  const search = useSearch({ strict: false }) as Search;
  const change = useSearchChange();
  return { open: dialogs.find((one) => one === search.open), setOpen: (open) => change({ open }) };
}

/** Changes the address in its place: the page and the focus stay. */
export function useSearchChange(): (change: Search) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: ".",
      search: (before: Search) => ({ ...before, ...change }),
      state: { keepFocus: true },
      replace: true,
      resetScroll: false,
    } as never);
}
