// A schema with the field kinds that hold single values and lists, and the objects that they refer to.

const text = { type: "string", field: "text" };

export const peopleSchema = {
  id: "person",
  properties: { id: { type: "slug", field: "id" }, name: { ...text, label: "Name" } },
  required: ["id"],
  index: ["id", "name"],
};

export const kindsSchema = {
  id: "kinds",
  title: "Kinds",
  formgrid: [
    "title title",
    "tags tags",
    "friends friends",
    "size colours",
    "price volume",
    "opens tint",
    "author plan",
    "pin key",
    "name story",
  ].join("\n"),
  properties: {
    id: { type: "slug", field: "id", label: "Id" },
    title: { ...text, label: "Title", help: "What it is <b>called</b>." },
    tags: { type: "list", field: "list", label: "Tags", maxItems: 6 },
    friends: {
      ...{ type: "array", field: "multiselect", label: "Friends" },
      settings: { relationalOptions: { collection: "people", label: "name" } },
    },
    steps: { type: "list", field: "list", label: "Steps", settings: { duplicateItemsAllowed: true } },
    hut: {
      ...{ type: "string", field: "select", label: "Hut" },
      settings: { relationalOptions: { view: "huts", label: "name", value: "code" } },
    },
    size: {
      ...{ type: "string", field: "radio", label: "Size", settings: { fieldGrid: 2 } },
      options: [
        { value: "s", label: "Small" },
        { value: "l", label: "Large" },
      ],
    },
    colours: {
      ...{ type: "array", field: "checklist", label: "Colours" },
      options: ["red", "green", "blue"],
    },
    price: { type: "number", field: "price", label: "Price", settings: { currency: "EUR", min: 1 } },
    volume: { type: "number", field: "range", label: "Volume", settings: { min: 0, max: 10, step: 1 } },
    opens: { type: "time", field: "time", label: "Opens" },
    tint: { type: "color", field: "color", label: "Tint", options: [{ value: "#a8480c", label: "Ember" }, "#1e2322"] },
    author: {
      ...{ type: "string", field: "select", label: "Author" },
      settings: { relationalOptions: { collection: "people", label: "name" } },
    },
    plan: { type: "string", field: "select", label: "Plan", options: { Free: ["none"], Paid: ["basic", "full"] } },
    pin: { type: "password", field: "password", label: "Pin", minLength: 6 },
    key: { type: "string", field: "secret", label: "Key" },
    name: { type: "localizedtext", field: "localizedtext", label: "Name", help: "In each language." },
    story: { type: "localizedtext", field: "localizedtextarea", label: "Story" },
    rating: { type: "rating", field: "rating", label: "Rating" },
    odd: { type: "string", field: "sparkles", label: "Odd" },
  },
  required: ["id", "title"],
  index: ["id", "title"],
};
