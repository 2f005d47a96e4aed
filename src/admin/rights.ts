// The switches and utilities of all groups of a user, folded together. Pure.

import type { UserActor } from "#access/actor.ts";
import type { Rights } from "#contract/admin.ts";

/** Utilities that the server or the admin knows. A group may name others, which are answered as they are. */
const utilities = ["cache", "image-batcher", "jumpstart", "project-setup"];

type Folded = Pick<Rights, "admin" | "builder" | "mailer" | "playground" | "dataviews" | "docs" | "utils">;

export function foldPermissions({ isAdmin, permissions }: Pick<UserActor, "isAdmin" | "permissions">): Folded {
  const hasSwitch = (name: "builder" | "mailer" | "playground" | "dataviews" | "docs") =>
    isAdmin || permissions.some((group) => group[name]);
  const hasAll = isAdmin || permissions.some(({ utils }) => utils.all);
  const named = permissions.flatMap(({ utils }) => utils.allowed);
  return {
    admin: isAdmin,
    builder: hasSwitch("builder"),
    mailer: hasSwitch("mailer"),
    playground: hasSwitch("playground"),
    dataviews: hasSwitch("dataviews"),
    docs: hasSwitch("docs"),
    utils: [...new Set([...(hasAll ? utilities : []), ...named])].sort(),
  };
}
