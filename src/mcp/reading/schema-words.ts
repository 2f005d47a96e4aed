// The words of MCP tools about schemas and settings of collections: every kind of property, with one example each.

import type { JsonObject } from "#contract/json.ts";

const kinds = [
  'string: {"type":"string","field":"text"} (field textarea, select with "options":["a","b"], radio)',
  'styledtext (rich text, HTML): {"type":"string","field":"styledtext"}',
  'number: {"type":"number","minimum":0}',
  'integer: {"type":"integer"}',
  'boolean: {"type":"boolean","default":false}',
  'date: {"type":"date"} (ISO time)',
  'time (of a day): {"type":"time"}',
  'list (of texts): {"type":"list"}',
  'array: {"type":"array"}',
  'object: {"type":"object"}',
  'slug: {"type":"slug"}',
  'email: {"type":"email"}',
  'phone: {"type":"phone"}',
  'url: {"type":"url"}',
  'color: {"type":"color"}',
  'rating: {"type":"rating"}',
  'code: {"type":"code"}',
  'svg: {"type":"svg"}',
  'json (anything): {"type":"json"}',
  'password (never read back): {"type":"password"}',
  'localizedtext (one text for each locale): {"type":"localizedtext"}',
  'image, gallery, file, depot (come by upload_file): {"type":"image"}',
  'card (one object of another schema): {"type":"card","schemaref":"address"}',
  'deck (a list of items of another schema): {"type":"deck","schemaref":"ingredient"}',
  'relation (id of an object elsewhere): {"type":"string","reference":"authors"}, several: {"type":"list","reference":"authors"}',
];

export const schemaArg: JsonObject = {
  type: "object",
  description:
    "The schema: id, description, category, properties, required and index (lists of names; index: what lists show, " +
    "filter, sort and search by), inheritFrom. A property also takes label, help, default, unique, minLength, maxLength, " +
    `minimum, maximum, pattern, enum. Kinds of properties, with an example each: ${kinds.join("; ")}. ` +
    '`_ignored` in the answer names keys without effect. Whole: {"id":"recipe","properties":{"title":{"type":"string"},"minutes":{"type":"integer"}},"required":["title"],' +
    '"index":["title","minutes"]}.',
};

export const settingsArg: JsonObject = {
  type: "object",
  description:
    "Settings of the collection: name, description, category, url (such as /news/{id}), labelPlural, labelSingular, " +
    "sortBy, reverseSort, singleton, groups (ids of groups that may use it), publicOperations (what everybody may do: " +
    'create, read, update, delete), publicFiles, onSite, sitemap ({"enabled":true}), mcp ({"access":"public", ' +
    '"authenticated" or "admin", "description":"..."}). `_ignored` in the answer names keys without effect.',
};
