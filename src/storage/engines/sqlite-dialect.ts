// How SQLite spells what differs between the engines.

import type { Dialect } from "#storage/port.ts";
import { checkPropertyName } from "./property-name.ts";

function jsonPath(property: string, element = ""): string {
  return `'$."${checkPropertyName(property)}"${element}'`;
}

function anyElement(source: string, property: string, condition: string): string {
  return `EXISTS (SELECT 1 FROM json_each(${source}, ${jsonPath(property)}) AS element WHERE ${condition})`;
}

export const sqliteDialect: Dialect = {
  name: "sqlite",
  jsonParam: "jsonb(?)",
  forUpdate: "",
  property: (source, property, comparison) =>
    `json_extract(${source}, ${jsonPath(property, comparison === "list" ? "[0]" : "")})`,
  anyElement,
  listHas: (property, element) => ({ sql: anyElement("fold", property, "element.value = ?"), params: [element] }),
  textKey: (text, length) => `substr(${text}, 1, ${length})`,
  foldCase: (text) => `fold_case(${text})`,
  jsonText: (column) => `json(${column})`,
  indexes: {
    leading: ["collection"],
    concurrently: "",
    list: "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'object_index'",
  },
};
