// Schemas with one property beside the id: a text, an image, a colour.

import type { PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";
import * as p from "./define.ts";

interface Single {
  title: string;
  description: string;
  property: PropertyDefinition;
  /** The name of the property, if not that of the schema. */
  name?: string;
  isRequired?: true;
  isNotIndexed?: true;
}

const singles: Record<string, Single> = {
  code: { title: "Code", description: "A piece of code.", property: p.code("Code", "The source text.") },
  color: {
    title: "Color",
    description: "A color.",
    property: p.color("Color", "As hex, rgb, hsl or oklch.", { default: "#ffffff" }),
    isRequired: true,
  },
  date: { title: "Date", description: "A date and time.", property: p.datetime("Date", "Day and time.") },
  depot: {
    title: "Depot",
    description: "A tree of files and folders.",
    property: p.depot("Depot", "Files of any type, in folders."),
    isRequired: true,
    isNotIndexed: true,
  },
  email: { title: "Email", description: "An e-mail address.", property: p.email("Email", "One address.") },
  file: { title: "File", description: "A file for download.", property: p.file("File", "One file of any type.") },
  gallery: { title: "Gallery", description: "A set of images.", property: p.gallery("Gallery", "Images in order.") },
  image: { title: "Image", description: "An image.", property: p.image("Image", "One image.") },
  number: { title: "Number", description: "A number.", property: p.number("Number", "Whole or decimal.") },
  styledtext: {
    title: "Styled Text",
    description: "A formatted text.",
    property: p.styledtext("Text", "Formatted; stored as clean HTML."),
  },
  svg: { title: "SVG", description: "A vector graphic.", property: p.svg("SVG", "The markup of the graphic.") },
  text: { title: "Text", description: "A plain text.", property: p.textarea("Text", "One or more lines.") },
  toggle: {
    title: "Toggle",
    description: "A switch.",
    property: p.toggle("Status", "On or off."),
    name: "status",
  },
  url: { title: "URL", description: "A web address.", property: p.url("URL", "With http:// or https://.") },
};

export const singleSchemas: SchemaRecord[] = Object.entries(singles).map(([id, single]) => {
  const name = single.name ?? id;
  return p.define(id, {
    title: single.title,
    description: single.description,
    properties: { id: p.id(), [name]: single.property },
    required: single.isRequired ? ["id", name] : ["id"],
    index: single.isNotIndexed ? ["id"] : ["id", name],
  });
});
