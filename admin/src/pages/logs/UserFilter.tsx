// Chooses a user by name or id. Users that are gone can be typed: their entries are still there.

import type { FoundObject } from "@contract/admin.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Select } from "#ui/Select.tsx";
import { useWords } from "#words/language.ts";
import { logsWords } from "#words/logs.ts";

const limit = 20;

export function UserFilter({ value, onChange }: { value: string; onChange: (user: string) => void }) {
  const words = useWords(logsWords);
  const [typed, setTyped] = useState("");
  const users = useQuery({
    queryKey: ["audit-users", typed],
    queryFn: ({ signal }) =>
      askData<FoundObject[]>(routes.search, { query: { q: typed, collections: "auth", limit }, signal }),
    enabled: typed.trim() !== "",
    placeholderData: keepPreviousData,
  });
  return (
    <Select
      label={words.user}
      value={value}
      onChange={onChange}
      options={(users.data ?? []).map(({ id, title }) => ({ value: id, label: title, detail: id }))}
      onSearch={setTyped}
      isLoading={users.isFetching}
      placeholder={words.anyUser}
      isClearable
      allowsCustomValue
    />
  );
}
