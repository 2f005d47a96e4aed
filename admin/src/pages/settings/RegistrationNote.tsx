// What people who register may do by the settings as they are typed; shown while registration is open.

import type { AccessGroup, Permissions } from "@contract/access-groups.ts";
import { useQuery } from "@tanstack/react-query";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useFieldState } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";
import { Notice } from "#ui/Notice.tsx";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { registrationWords } from "#words/registration.ts";
import { pathOf } from "./setting-values.ts";

export function RegistrationNote({ store }: { store: FormStore }) {
  const words = useWords(registrationWords);
  const opened = useFieldState(store, pathOf("auth.publicRegistration")).value;
  const named = useFieldState(store, pathOf("auth.registrationGroups")).value;
  const isOpen = Array.isArray(opened) && opened.includes("auth");
  const groups = useQuery({
    queryKey: ["groups"],
    queryFn: ({ signal }) => askData<AccessGroup[]>(routes.groups, { signal }),
    enabled: isOpen,
  });
  const ids = Array.isArray(named) ? named.map(String) : [];
  if (!isOpen || !groups.data || ids.length === 0) return null;
  const granted = groups.data.filter(({ id }) => ids.includes(id));
  const isNothing = granted.every(({ permissions }) => grantsNothing(permissions));
  const sentence = isNothing ? words.nothing : words.something;
  return <Notice tone={isNothing ? "info" : "warn"}>{sentence(formatList(ids), ids.length)}</Notice>;
}

function grantsNothing(permissions: Permissions): boolean {
  return Object.values(permissions).every((part) => {
    if (typeof part === "boolean") return !part;
    return (!part.all && part.allowed.length === 0) || ("operations" in part && part.operations.length === 0);
  });
}
