// Generator rules: a fixed list of names, each with what it makes. `name` or `name(argument, ...)`; no name reaches
// anything outside the list. A text that does not have the form of a rule, or names none, is the value itself.

import type { Faker } from "@faker-js/faker";
import type { Json } from "#contract/json.ts";
import { type Argument, count, dates, lorem, type Made, media, number, styledText } from "./factory-parts.ts";

export type Rule = (faker: Faker, args: readonly Argument[], now: Date) => Made;

const plain =
  (make: (faker: Faker) => Json): Rule =>
  (faker) =>
    make(faker);

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["word", plain((faker) => faker.lorem.word())],
  ["words", (faker, [words]) => faker.lorem.words(count(words, 3, 200))],
  ["sentence", (faker, [words]) => faker.lorem.sentence(count(words, 6, 200))],
  ["sentences", (faker, [sentences]) => faker.lorem.sentences(count(sentences, 3, 100))],
  ["paragraph", (faker, [sentences]) => faker.lorem.paragraph(count(sentences, 3, 100))],
  ["paragraphs", (faker, [paragraphs]) => lorem.paragraphs(faker, count(paragraphs, 3, 50))],
  ["text", (faker, [length]) => lorem.text(faker, count(length, 200, 10_000))],
  [
    "styledtext",
    (faker, [least, most, lists = true, headings = false]) =>
      styledText(faker, [count(least, 3, 50), count(most, 6, 50)], {
        lists: lists === true,
        headings: headings === true,
      }),
  ],

  [
    "randomFloat",
    (faker, [decimals, least, most]) => {
      const [min, max] = ordered(number(least, 0), number(most, 1_000));
      return faker.number.float({ min, max, fractionDigits: count(decimals, 2, 10) });
    },
  ],
  [
    "numberBetween",
    (faker, [least, most]) => {
      const [min, max] = ordered(number(least, 1_000), number(most, 9_000));
      return faker.number.int({ min: Math.ceil(min), max: Math.max(Math.ceil(min), Math.floor(max)) });
    },
  ],
  ["randomDigit", plain((faker) => faker.number.int({ min: 0, max: 9 }))],
  ["boolean", (faker, [chance]) => faker.datatype.boolean({ probability: count(chance, 50, 100) / 100 })],

  ["date", (faker, [format = "Y-m-d"], now) => dates.format(dates.past(faker, now), String(format))],
  ["dateTimeBetween", (faker, [from = "-30 years", to = "now"], now) => dates.between(faker, now, from, to)],
  ["iso8601", (faker, _, now) => dates.past(faker, now).toISOString()],
  ["time", (faker, _, now) => dates.format(dates.past(faker, now), "H:i:s")],
  ["year", (faker, _, now) => dates.format(dates.past(faker, now), "Y")],
  ["month", (faker, _, now) => dates.format(dates.past(faker, now), "m")],
  ["dayOfWeek", plain((faker) => faker.date.weekday())],

  ["name", plain((faker) => `${faker.person.firstName()} ${faker.person.lastName()}`)],
  ["firstName", plain((faker) => faker.person.firstName())],
  ["lastName", plain((faker) => faker.person.lastName())],
  ["title", plain((faker) => faker.person.prefix())],
  ["jobTitle", plain((faker) => faker.person.jobTitle())],
  ["company", plain((faker) => faker.company.name())],
  ["catchPhrase", plain((faker) => faker.company.catchPhrase())],

  // Reserved domains, without an owner.
  ["email", plain((faker) => faker.internet.exampleEmail().toLowerCase())],
  ["safeEmail", plain((faker) => faker.internet.exampleEmail().toLowerCase())],
  ["userName", plain((faker) => faker.internet.username().toLowerCase())],
  ["url", plain((faker) => `https://${domain(faker)}/${faker.lorem.slug(2)}`)],
  ["domainName", plain(domain)],
  ["slug", plain((faker) => faker.lorem.slug(3))],
  ["id", plain((faker) => faker.lorem.slug(2))],
  ["ipv4", plain((faker) => faker.internet.ipv4({ network: "test-net-1" }))],
  ["uuid", plain((faker) => faker.string.uuid())],
  ["password", plain((faker) => faker.internet.password({ length: 20 }))],

  ["phoneNumber", plain((faker) => faker.phone.number({ style: "international" }))],
  [
    "address",
    plain((faker) => `${faker.location.streetAddress()}, ${faker.location.zipCode()} ${faker.location.city()}`),
  ],
  ["city", plain((faker) => faker.location.city())],
  ["country", plain((faker) => faker.location.country())],
  ["postcode", plain((faker) => faker.location.zipCode())],
  ["latitude", plain((faker) => faker.location.latitude())],
  ["longitude", plain((faker) => faker.location.longitude())],

  ["tags", (faker, [least, most, ...choices]) => lorem.tags(faker, [count(least, 0, 50), count(most, 4, 50)], choices)],

  // No file is generated: such a rule on a property of files gives none.
  ...["imageBlur", "image", "imageBW", "imageBWBlur", "imageText", "imageShapes", "file"].map(
    (name): [string, Rule] => [name, () => media],
  ),
  ...["gallery", "galleryBlur", "galleryBW", "galleryBWBlur", "galleryText", "galleryShapes", "depot"].map(
    (name): [string, Rule] => [name, () => media],
  ),
]);

export const ruleNames: readonly string[] = [...rules.keys()];

export interface Call {
  rule: Rule;
  args: Argument[];
}

const form = /^(\w+)(?:\((.*)\))?$/s;
const maxLength = 1_000;

/** The rule that a text names; undefined: the text is a literal; a string: the problem. */
export function readRule(text: string): Call | string | undefined {
  const [, name = "", list] = (text.length <= maxLength && form.exec(text)) || [];
  if (name === "") return undefined;
  const rule = rules.get(name);
  if (rule) return { rule, args: list === undefined ? [] : readArguments(list) };
  // Looks like a call, or an attempt to reach a member of every object: not a literal.
  return list !== undefined || name in {} ? `"${name}" is not a generator rule` : undefined;
}

function readArguments(list: string): Argument[] {
  if (list.trim() === "") return [];
  return list.split(",").map((part) => {
    const text = part.trim().replace(/^(['"])(.*)\1$/s, "$2");
    if (/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
    return text === "true" ? true : text === "false" ? false : text;
  });
}

function ordered(a: number, b: number): [number, number] {
  return a <= b ? [a, b] : [b, a];
}

function domain(faker: Faker): string {
  return `${faker.lorem.word()}.example`;
}
