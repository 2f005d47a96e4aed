// Sentences of the pages of access groups.

import { plural } from "#words/format.ts";

const members = (count: number) => plural(count, { one: "1 member", other: (n) => `${n} members` });

export const accessGroups = {
  title: "Access groups",
  manage: "Manage",
  newGroup: "New group",
  emptyTitle: "No access groups",
  emptyText: "A group says what its members may read and change.",
  group: "Group",
  id: "Id",
  idHelp: "Lower-case letters, digits and hyphens. It cannot be changed later.",
  idRequired: "Give the group an id.",
  idWrong: "An id has 1 to 64 lower-case letters, digits and hyphens, and begins with a letter or a digit.",
  description: "Description",
  descriptionHelp: "What its members do, in a few words.",
  membersColumn: "Members",
  members,
  grants: "May",
  everything: "Everything",
  nothing: "Nothing",
  permissions: "Permissions",
  permissionsText: "Switches and utilities are granted as a whole: their ticks go together.",
  thing: "Thing",
  operations: { create: "Create", read: "Read", update: "Update", delete: "Delete" },
  right: (operation: string, thing: string) => `${operation}: ${thing}`,
  all: "All",
  resources: { collections: "Collections", collectionsMeta: "Collection settings", schemas: "Schemas" },
  resourceHelp: {
    collections: "The objects in them",
    collectionsMeta: "Making and setting up collections",
    schemas: "What objects are made of",
  },
  switches: {
    builder: "Templates",
    mailer: "Mailer",
    playground: "Playground",
    dataviews: "Data views",
    docs: "API reference",
  },
  utilities: {
    cache: "Cache",
    "image-batcher": "Image batcher",
    jumpstart: "Jumpstart",
    "project-setup": "Project setup",
  } as Record<string, string>,
  which: {
    collections: "Which collections",
    collectionsMeta: "Settings of which collections",
    schemas: "Which schemas",
  },
  allOf: {
    collections: "All collections",
    collectionsMeta: "Settings of all collections",
    schemas: "All schemas",
  },
  itemOf: {
    collections: (name: string) => name,
    collectionsMeta: (name: string) => `Settings of ${name}`,
    schemas: (name: string) => `Schema ${name}`,
  },
  reach: (resource: string, item: string) => `${resource}: ${item}`,
  reachesNothing: "Nothing is chosen here, so the ticks above open nothing yet.",
  forAdmins: "For administrators alone, whatever is ticked: users and automations.",
  membersTitle: "Members",
  membersText: "Put users into the group on their own pages.",
  membersNone: "No user is in this group.",
  membersMore: (count: number) => plural(count, { one: "and 1 more", other: (n) => `and ${n} more` }),
  membersOfDefault: "Every signed-in user without a group has these rights.",
  fixedTitle: "This group cannot be changed",
  fixedText: "Its members may do everything, users, keys and settings included.",
  reviewTitle: "Review changes",
  reviewText: "The change holds from the next request of each member on.",
  lose: (count: number) => plural(count, { one: "1 member loses", other: (n) => `${n} members lose` }),
  gain: (count: number) => plural(count, { one: "1 member gains", other: (n) => `${n} members gain` }),
  apply: "Apply changes",
  duplicate: "Duplicate",
  moreActions: "More actions",
  delete: "Delete",
  deleteTitle: (id: string) => `Delete ${id}?`,
  deleteText: (count: number) =>
    count === 0
      ? "No user is in this group. This cannot be undone."
      : plural(count, {
          one: "1 member loses what this group grants. This cannot be undone.",
          other: (n) => `${n} members lose what this group grants. This cannot be undone.`,
        }),
  deleted: (id: string) => `The group ${id} was deleted`,
  changedTitle: "Changed by somebody else",
  changedText: (parts: string) =>
    `Somebody else has changed ${parts} since you opened the group. Yours would replace it.`,
  saveMine: "Save mine",
};
