// Sentences of import, export and factory.

import { formatNumber, plural } from "#words/format.ts";

const objects = (count: number) => plural(count, { one: "1 object", other: (n) => `${n} objects` });

export const transfer = {
  undoImport: "Undo this import…",
  thisImport: "this import",
  importTitle: (name: string) => `Import into ${name}`,
  chooseFile: "Choose file",
  drop: "Drop a file here, or choose one.",
  formats:
    "JSON: one array of objects. NDJSON: one object on each line. CSV: the first row names the properties. Files of any size are read piece by piece.",
  wrongFile: (name: string) =>
    `${name} is no JSON, NDJSON or CSV file: its name must end with .json, .ndjson, .jsonl or .csv.`,
  noFile: "Choose a file first.",
  removeFile: "Remove the file",
  changeExisting: "Change existing objects",
  changeExistingHelp:
    "Rows change the objects that have their id, in the properties that they name; rows without such an object are skipped. Otherwise rows make new objects, and rows whose id exists are skipped.",
  onlyChanges: "You may change objects, and make none: rows without an object of their id are skipped.",
  tryIt: "Try it",
  importNow: "Import",
  trying: "Trying the rows",
  importing: "Importing",
  rowsDone: (rows: number) => plural(rows, { one: "1 row so far", other: (n) => `${n} rows so far` }),
  goesOn: "The import goes on when you leave this page, as long as the window stays open.",
  imported: (count: number, name: string) => `${objects(count)} imported into ${name}`,
  notImported: (name: string) => `The import into ${name} failed`,

  result: "Result",
  tried: "Nothing was stored. This is what an import would do.",
  stored: "The import is done.",
  filled: "The objects are made.",
  sampled: "Nothing was stored. These are the first objects as they would be.",
  created: (count: number) => `${formatNumber(count)} created`,
  updated: (count: number) => `${formatNumber(count)} changed`,
  skipped: (count: number) => `${formatNumber(count)} skipped`,
  refused: (count: number) => `${formatNumber(count)} refused`,
  done: { created: "Created", updated: "Changed", skipped: "Skipped", refused: "Refused" },
  preview: "First rows",
  previewOf: (shown: number, all: number) => `The first ${shown} of ${formatNumber(all)} rows`,
  row: "Row",
  outcome: "What happens",
  id: "Id",
  property: "Property",
  problem: "Problem",
  ignored: (count: number) =>
    plural(count, {
      one: "Left out: the schema does not have this property",
      other: () => "Left out: the schema does not have these properties",
    }),
  meant: (name: string, meant: string) => `${name} (perhaps ${meant})`,
  errors: "Refused rows",
  errorsOf: (shown: number, all: number) => `The first ${shown} of ${formatNumber(all)}`,
  downloadErrors: "Download as CSV",

  exportTitle: (name: string) => `Export ${name}`,
  format: "Format",
  json: "JSON",
  csv: "CSV",
  formatHelp:
    "JSON has the objects as the API answers them, and can be imported again. CSV is for spreadsheets: cards and languages have columns of their own.",
  which: "Objects",
  what: "Properties",
  whole: "All properties",
  chosen: "Chosen properties",
  whatHelp: "Chosen properties make a report: only what you tick. In CSV each item of a deck is a row of its own.",
  ofDecks: "Items of decks",
  noneChosen: "Tick at least one property.",
  download: "Download",
  matching: (count: number) => (count === 0 ? "No object matches" : `${objects(count)}`),
  matchCount: "Result count",

  factoryTitle: (name: string) => `Fill ${name}`,
  factoryHelp:
    "Makes up objects to try things with. A rule such as sentence(5) makes up a value; any other text is the value itself. Left empty, the schema decides, and required properties get something that fits.",
  rulesTitle: "Rules",
  rulePlaceholder: "As the schema says",
  count: "Number of objects",
  countHelp: (most: number) => `From 1 to ${formatNumber(most)}.`,
  badCount: (most: number) => `Enter a whole number from 1 to ${formatNumber(most)}.`,
  sample: "Show a sample",
  fill: "Fill",
  filling: "Making objects",
  filledToast: (count: number, name: string) => `${objects(count)} made in ${name}`,
};
