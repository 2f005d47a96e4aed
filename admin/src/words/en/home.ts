// Sentences of Home.

import { formatNumber, plural } from "#words/format.ts";

export const home = {
  title: "Home",
  continue: "Continue",
  continueNone: "Changes that you have not saved yet are kept on this device and wait here.",
  unsaved: (count: number) => plural(count, { one: "1 unsaved change", other: (n) => `${n} unsaved changes` }),
  newObject: (thing: string) => `New ${thing}`,
  object: "object",
  attention: "Needs attention",
  attentionNone: "Nothing needs you at the moment.",
  failedJobs: (count: number) => plural(count, { one: "1 job failed", other: (n) => `${n} jobs failed` }),
  disabledAutomations: (count: number) =>
    plural(count, {
      one: "1 automation was switched off after failures",
      other: (n) => `${n} automations were switched off after failures`,
    }),
  failedDeliveries: (count: number) =>
    plural(count, { one: "1 webhook delivery failed", other: (n) => `${n} webhook deliveries failed` }),
  stoppedExtensions: (count: number) =>
    plural(count, {
      one: "1 extension failed or was quarantined",
      other: (n) => `${n} extensions failed or were quarantined`,
    }),
  siteErrors: (count: number) =>
    plural(count, {
      one: "1 error in pages of the site today. Site shows where",
      other: (n) => `${n} errors in pages of the site today. Site shows where`,
    }),
  recent: "Recently changed",
  recentNone: "Nothing has been changed yet.",
  site: "This site",
  address: "Address",
  collections: (count: number) => plural(count, { one: "1 collection", other: (n) => `${n} collections` }),
  objects: (count: number) => plural(count, { one: "1 object", other: (n) => `${n} objects` }),
  content: "Content",
  version: "Version",
  versionOf: (version: string, edition: string) => `Cairn ${version}, ${edition} edition`,
  environment: "Environment",
  timezone: "Time zone",
  mail: "Mail",
  on: "Can be sent",
  off: "Not set up",
  total: (count: number) => formatNumber(count),
  firstSteps: "First steps",
  firstStepsText: "This site is empty. These steps lead to the first page that others can read.",
  done: "Done",
  open: "To do",
  steps: {
    describe: {
      title: "Describe your content",
      text: "A schema names the properties of one kind of object. Built-in schemas are there already, or load the demo site.",
      action: "Load the demo site",
    },
    collection: {
      title: "Make a collection",
      text: "A collection holds the objects of one schema.",
      action: "New collection",
    },
    object: {
      title: "Write the first object",
      text: "Objects are what readers see: articles, pictures, products.",
      action: (thing: string) => `New ${thing}`,
    },
    read: {
      title: "Open it, or make an API key",
      text: "Websites and apps read your content through the API.",
      action: "API reference",
    },
    connect: {
      title: "Connect an AI client",
      text: "Clients that speak MCP can read and write content with your rights.",
      address: "Copy the address",
    },
  },
};
