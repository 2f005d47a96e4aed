// What a group grants, in a few words.

import { type AccessGroup, adminGroup } from "@contract/access-groups.ts";
import { Badge } from "#ui/Badge.tsx";
import { accessGroupsWords } from "#words/access-groups.ts";
import { formatList } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./access-groups.module.css";
import { isTicked, reachesNothing, resources, thingsOf } from "./group-rights.ts";
import { useGroupNames } from "./use-group-names.ts";

export function Grants({ group: { id, permissions } }: { group: AccessGroup }) {
  const words = useWords(accessGroupsWords);
  const names = useGroupNames();
  if (id === adminGroup) return <Badge tone="warn">{words.everything}</Badge>;
  const granted = resources.filter(
    (name) => permissions[name].operations.length > 0 && !reachesNothing(permissions[name]),
  );
  const others = thingsOf(permissions).filter(
    (thing) => (thing.kind === "switch" || thing.kind === "utility") && isTicked(permissions, thing, "read"),
  );
  if (granted.length + others.length === 0) return <span className={css.quiet}>{words.nothing}</span>;
  return (
    <span className={css.badges}>
      {granted.map((name) => (
        <Badge key={name} tone="accent">
          {words.right(words.resources[name], formatList(permissions[name].operations.map(names.operation)))}
        </Badge>
      ))}
      {others.map((thing) => (
        <Badge key={names.thing(thing)}>{names.thing(thing)}</Badge>
      ))}
    </span>
  );
}
