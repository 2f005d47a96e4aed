// A definition and a value for each field kind; a kind without a definition does not compile. Files have no values: there are
// none on the server that they could show.

import type { Json } from "@contract/json.ts";
import type { fieldKinds, PropertyDefinition, SchemaRecord } from "@contract/schemas.ts";

export interface Sample {
  definition: PropertyDefinition;
  value?: Json;
  wrong: string;
  /** Takes the whole width. */
  isWide?: boolean;
}

const stones = ["Basalt", "Granite", "Slate"];

export const itemSchemas: Record<string, SchemaRecord> = {
  place: {
    id: "place",
    formgrid: "street town",
    properties: {
      street: { type: "string", field: "text", label: "Street" },
      town: { type: "string", field: "text", label: "Town" },
    },
    required: [],
    index: [],
  },
  stop: {
    id: "stop",
    properties: {
      id: { type: "slug", field: "id", label: "Id" },
      title: { type: "string", field: "text", label: "Title" },
      hours: { type: "number", field: "number", label: "Hours" },
    },
    required: [],
    index: [],
  },
};

const stops = [
  { id: "hut", title: "The hut", hours: 2 },
  { id: "top", title: "The top", hours: 3.5 },
];
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9" fill="#a8480c"/></svg>';
const choose = "Choose at most 1";

export const samples: Record<(typeof fieldKinds)[number], Sample> = {
  card: {
    definition: { type: "card", itemSchema: "place" },
    value: { street: "Long Road 1", town: "Bern" },
    wrong: "Town is required",
    isWide: true,
  },
  checkbox: { definition: { type: "boolean" }, value: true, wrong: "It must be ticked" },
  checklist: { definition: { type: "array", options: stones }, value: ["Basalt"], wrong: choose },
  code: {
    definition: { type: "code" },
    value: "a {\n  color: red;\n}",
    wrong: "Line 2, column 3: unexpected sign",
    isWide: true,
  },
  color: {
    definition: { type: "color", options: ["#a8480c", "#2c6a3f"] },
    value: "#a8480c",
    wrong: "Write a colour like #a8480c",
  },
  date: { definition: { type: "date" }, value: "2027-03-03T00:00:00.000Z", wrong: "Choose a day from today on" },
  datetime: { definition: { type: "date" }, value: "2027-03-03T18:30:00.000Z", wrong: "Choose a later time" },
  deck: { definition: { type: "deck", itemSchema: "stop" }, value: stops, wrong: "Add at least 3 items", isWide: true },
  deckTable: {
    definition: { type: "deck", itemSchema: "stop" },
    value: stops,
    wrong: "Add at least 3 items",
    isWide: true,
  },
  depot: { definition: { type: "depot" }, wrong: "report.pdf is protected", isWide: true },
  email: { definition: { type: "email" }, value: "ada@example.org", wrong: "Write an address like ada@example.org" },
  file: { definition: { type: "file" }, wrong: "The file is too large" },
  gallery: { definition: { type: "gallery" }, wrong: "Add at least 2 images", isWide: true },
  hidden: { definition: { type: "string" }, wrong: "" },
  id: { definition: { type: "slug" }, value: "a-path-of-stones", wrong: "This id is taken. Choose another one." },
  image: { definition: { type: "image" }, wrong: "The image is too small" },
  json: {
    definition: { type: "json" },
    value: { lat: 46.9, lon: 7.4 },
    wrong: "Line 1, column 2: unexpected sign",
    isWide: true,
  },
  list: { definition: { type: "list" }, value: ["hiking", "maps", "huts"], wrong: "Choose at most 2" },
  localizedstyledtext: {
    definition: { type: "localizedtext" },
    value: { en: "<p>A <b>stone</b></p>", de: "<p>Ein Stein</p>" },
    wrong: "Name is required",
    isWide: true,
  },
  localizedtext: {
    definition: { type: "localizedtext" },
    value: { en: "Stone", de: "Stein" },
    wrong: "Name is required",
  },
  localizedtextarea: {
    definition: { type: "localizedtext" },
    value: { en: "Once\nthere was", de: "Es war\neinmal" },
    wrong: "Story is required",
  },
  multicheckbox: {
    definition: { type: "array", options: stones, settings: { fieldGrid: 2 } },
    value: stones,
    wrong: choose,
  },
  multiselect: { definition: { type: "array", options: stones }, value: ["Granite", "Slate"], wrong: choose },
  number: { definition: { type: "number" }, value: 12.5, wrong: "The most is 10" },
  password: { definition: { type: "password" }, wrong: "The two passwords differ" },
  phone: { definition: { type: "phone" }, value: "+41 44 123 45 67", wrong: "Write a phone number of 7 to 15 digits" },
  price: { definition: { type: "number", settings: { currency: "EUR" } }, value: 12.5, wrong: "The least is 15" },
  radio: { definition: { type: "string", options: stones }, value: "Granite", wrong: "Choose another one" },
  range: { definition: { type: "number", settings: { max: 10 } }, value: 4, wrong: "The least is 5" },
  rating: {
    definition: { type: "rating" },
    value: { rating: 4.2, max: 5, total: 12, counts: [] },
    wrong: "It cannot be set",
  },
  secret: { definition: { type: "string" }, value: "sk-123456", wrong: "Write at least 12 characters" },
  select: {
    definition: { type: "string", options: { Hard: ["Basalt", "Granite"], Soft: ["Slate"] } },
    value: "Granite",
    wrong: "It must be one of Basalt, Slate",
  },
  styledtext: {
    definition: { type: "string" },
    value: "<p>A path of <b>stones</b></p>",
    wrong: "Write at most 10 characters",
    isWide: true,
  },
  svg: { definition: { type: "svg" }, value: svg, wrong: "This is no drawing", isWide: true },
  text: {
    definition: { type: "string", maxLength: 20 },
    value: "A path of stones",
    wrong: "Write at most 10 characters",
  },
  textarea: {
    definition: { type: "string" },
    value: "One line.\nAnother line.",
    wrong: "Write at least 30 characters",
  },
  time: { definition: { type: "time" }, value: "09:30", wrong: "Choose a time before 9" },
  toggle: { definition: { type: "boolean" }, value: true, wrong: "It must be on" },
  url: {
    definition: { type: "url" },
    value: "https://example.org/",
    wrong: "Write an address that starts with http:// or https://",
  },
};
