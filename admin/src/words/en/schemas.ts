// Sentences of the list of schemas and of the schema editor.

import type { LintFinding, PropertyMention } from "@contract/schemas.ts";
import { formatList, formatNumber, plural } from "#words/format.ts";
import { propertyTexts } from "./schema-properties.ts";

const objects = (count: number) => plural(count, { one: "1 object", other: (n) => `${n} objects` });

const mentionKinds: Record<PropertyMention["kind"], string> = {
  collection: "Settings of the collection",
  "saved-query": "Saved query",
  "saved-view": "Saved view",
  template: "Template",
  "data-view": "Data view",
  automation: "Automation",
};

const levels: Record<LintFinding["level"], string> = { error: "Error", warning: "Advice" };

export const schemas = {
  ...propertyTexts,
  build: "Build",
  title: "Schemas",
  grid: "Schemas",
  newSchema: "New schema",
  columnTitle: "Schema",
  columnCategory: "Category",
  columnProperties: "Properties",
  columnUsedBy: "Used by",
  builtIn: "Built-in",
  notUsed: "Not used",
  collectionUse: (name: string, count: number) => `${name} (${formatNumber(count)})`,
  schemaUse: (title: string) => `schema ${title}`,
  usedBy: (uses: string) => `Used by ${uses}`,
  edition: (edition: string) => `Custom schemas need the Pro edition; this installation runs ${edition}.`,
  find: "Find a schema",
  noMatch: "No schema matches.",
  open: "Open",
  duplicate: "Duplicate",
  deleteLabel: "Delete",
  actionsFor: (name: string) => `Actions for ${name}`,
  newCollection: "New collection with this schema",
  apiAddress: "Copy API address",
  copied: "API address copied",
  notCopied: "It could not be copied",

  about: "About the schema",
  id: "Id",
  idHelp: "Names the schema in files and addresses. It cannot be changed later.",
  titleLabel: "Title",
  description: "Description",
  category: "Category",
  inheritFrom: "Inherit from",
  inheritHelp: "The properties of these schemas are added. The first one wins where two have the same.",
  tabs: "Parts of the schema",
  propertiesTab: "Properties",
  layoutTab: "Layout",
  jsonTab: "JSON",
  checkTab: "Check",

  json: "JSON",
  jsonHelp: "The whole schema. Valid changes go into the editor at once.",
  jsonNoSchema: 'A schema is a JSON object with properties: { "properties": { … } }',
  jsonNoDefinition: (name: string) => `The definition of ${name} must be a JSON object.`,
  jsonName: (name: string) =>
    `"${name}" cannot be the name of a property. Names start with a letter and have letters, digits, _ and - only.`,
  jsonIdFixed: "The id of a saved schema cannot be changed. Duplicate the schema to give it another one.",
  jsonBroken: "The JSON text is not valid, so nothing was saved. Correct it on the tab JSON.",
  undo: "Undo",
  undone: "The last change was taken back",
  copyTitle: (title: string) => `${title} copy`,
  copyNote: (title: string) => `This is a copy of ${title}. Nothing is stored until you save it.`,
  readOnlyExtension: (extension: string) =>
    `This schema belongs to the extension ${extension} and cannot be changed. Duplicate it, or make one that inherits from it.`,
  readOnlyBuiltIn: "A built-in schema cannot be changed. Duplicate it to make one of your own.",
  readOnly: "You may read this schema, not change it.",
  missingTitle: "There is no such schema",
  missingText: (id: string) => `There is no schema with the id ${id}. It may have been deleted.`,
  backToList: "Back to Schemas",

  idRequired: "Id is required",
  idForm: "Id has lower-case letters, digits and hyphens, at most 100 characters",
  partLabels: {
    id: "Id",
    title: "Title",
    description: "Description",
    category: "Category",
    inheritFrom: "Inherit from",
    formgrid: "Layout",
    properties: "Order of properties",
    required: "Required properties",
    index: "Indexed properties",
    mcp: "Agents",
    additionalProperties: "Additional properties",
  } as Record<string, string>,
  propertyPart: (name: string) => `Property ${name}`,

  checkCalm: "Nothing to report",
  checkCalmText: "The check found no mistakes in this schema.",
  checking: "Checking…",
  findings: "Findings",
  levels,
  goTo: (name: string) => `Go to ${name}`,

  reviewTitle: "Review changes",
  reviewText: (title: string, count: number) => `Saving ${title} changes what is stored for ${objects(count)}.`,
  reviewTextCalm: (title: string) => `Look at what saving ${title} changes.`,
  apply: "Apply changes",
  collectionLine: (name: string, count: number) => `${name}, ${objects(count)}`,
  leaves: (name: string) => `${name} leaves`,
  filled: (count: number) => plural(count, { one: "1 object has a value", other: (n) => `${n} objects have a value` }),
  leavesKept: "Values that leave are kept out of sight. They return when the property is added again.",
  retyped: (name: string, from: string, to: string) => `${name} changes from ${from} to ${to}`,
  unfit: (count: number) => plural(count, { one: "1 value does not fit", other: (n) => `${n} values do not fit` }),
  newlyRequired: (name: string) => `${name} becomes required`,
  lacking: (count: number) => plural(count, { one: "1 object lacks it", other: (n) => `${n} objects lack it` }),
  renamed: (from: string, to: string) => `${from} becomes ${to}`,
  indexTitle: "Index",
  indexAdded: (names: string) => `Added: ${names}`,
  indexRemoved: (names: string) => `Removed: ${names}`,
  indexWork: (count: number) =>
    plural(count, { one: "1 object is indexed again", other: (n) => `${n} objects are indexed again` }),
  childrenTitle: "Other schemas",
  children: (names: string) => `These are made with it and change too: ${names}`,
  mentionsTitle: "Named elsewhere",
  mention: ({ kind, id, collection, line }: PropertyMention) =>
    [`${mentionKinds[kind]} ${id}`, collection && collection !== id && `of ${collection}`, line && `line ${line}`]
      .filter(Boolean)
      .join(", "),
  mentionOf: (property: string) => `names ${property}`,
  otherCollections: "It concerns collections that you may not read, too. Their objects are not counted here.",
  incomplete: (count: number) => `The numbers are those of the first ${objects(count)}. There are more.`,
  names: (list: readonly string[]) => formatList([...list]),

  deleteTitle: (title: string) => `Delete ${title}?`,
  deleteText: "The schema is deleted for good.",
  deleteUsed: (uses: string) => `It cannot be deleted while it is used by ${uses}.`,
  typeId: (id: string) => `Type ${id} to confirm`,
  deleted: (title: string) => `The schema ${title} was deleted`,
};
