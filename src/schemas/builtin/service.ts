// Schemas of features: mail, automations, and prompts and tools for agents.

import type { SchemaRecord } from "#contract/schemas.ts";
import * as p from "./define.ts";

const snakeCase = "^[a-z][a-z0-9_]*$";

const mailer = p.define("mailer", {
  title: "Mailer",
  description: "Templates of e-mails.",
  properties: {
    id: p.id("${name}-${uid}", { readonly: true }),
    active: p.toggle("Active", "Only an active mail is sent.", { default: true }),
    name: p.text("Name", "What the mail is called."),
    category: p.text("Category", "Groups mails."),
    description: p.textarea("Description", "Purpose of the mail."),
    from: p.email("From", "The sender's address."),
    fromName: p.text("From name", "The sender's name."),
    to: p.text("To", "The receiver's address; may hold template variables."),
    toName: p.text("To name", "The receiver's name."),
    replyTo: p.text("Reply to", "Address for replies."),
    cc: p.textarea("Cc", "One address per line."),
    bcc: p.textarea("Bcc", "One address per line."),
    subject: p.text("Subject", "May hold template variables."),
    bodyHtml: p.code("HTML body", "The template of the formatted mail.", { settings: { mode: "html" } }),
    bodyText: p.textarea("Text body", "The template of the plain mail."),
    bulkCollection: p.text("Bulk collection", "The collection of receivers of a bulk mail."),
    bulkInclude: p.text("Bulk include", "A filter: only these receivers."),
    bulkExclude: p.text("Bulk exclude", "A filter: not these receivers."),
    updated: p.updated(),
  },
  required: ["id", "name", "to", "subject"],
  index: ["id", "name", "category", "active", "updated"],
});

const automation = p.define("automations", {
  title: "Automations",
  description: "Code that runs on a schedule, an event or a web request.",
  properties: {
    id: p.id("${name}"),
    name: p.text("Name", "What the automation is called."),
    category: p.text("Category", "Groups automations.", { default: "Automations" }),
    enabled: p.toggle("Enabled", "Off: no trigger fires.", { default: true }),
    triggers: p.deck("Triggers", "Triggers that start it.", { schemaref: "/schemas/automation-trigger.json" }),
    handler: p.code("Handler", "A module whose default export is an async function.", { settings: { mode: "js" } }),
    errorMailerId: p.text("Error mail", "The id of the mail that reports a failure."),
    consecutiveFailures: p.number("Failures in a row", "Set by the service.", {
      default: 0,
      settings: { readonly: true },
    }),
    autoDisabled: p.toggle("Switched off by failures", "Set by the service.", {
      default: false,
      settings: { readonly: true },
    }),
    updated: p.updated(),
  },
  required: ["id", "handler"],
  index: ["id", "name", "category", "enabled", "autoDisabled", "updated"],
});

const trigger = p.define("automation-trigger", {
  title: "Automation Trigger",
  description: "One trigger of an automation.",
  properties: {
    id: p.id("${type}-${uid}"),
    type: p.select("Type", "What kind of trigger it is.", { enum: ["schedule", "webhook", "event"] }),
    cron: p.text("Schedule", "Five cron fields, or @hourly, @daily and the like."),
    auth: p.select("Authentication", "Callers that the webhook accepts.", {
      default: "none",
      enum: ["none", "sameOrigin", "apiKey"],
    }),
    sync: p.literalToggle("Synchronous", "Only the value true makes the caller wait for the result.", {
      default: false,
    }),
    event: p.text("Event", "Such as object.created."),
    collection: p.text("Collection", "Only events of this collection; empty means all."),
  },
  required: ["id", "type"],
  index: [],
});

const prompt = p.define("mcp-prompt", {
  title: "MCP Prompts",
  description: "Prompts that agents can ask for by name.",
  properties: {
    id: p.id("${name}", { snakeCase: true, readonly: true }),
    name: p.text("Name", "Lower case, digits and underscores.", { pattern: snakeCase }),
    description: p.textarea("Description", "What the prompt is for."),
    body: p.code("Body", "The template of the message."),
    arguments: p.deck("Arguments", "Arguments that the caller can fill in.", {
      schemaref: "/schemas/mcp-prompt-argument.json",
    }),
    access: p.select("Access", "Empty: that of the target.", {
      default: "",
      options: ["", "admin", "authenticated", "public"],
      enum: ["", "admin", "authenticated", "public"],
    }),
    target: p.text("Target", "The collection or view whose access counts."),
    updated: p.updated(),
  },
  required: ["id", "name", "body"],
  index: ["id", "name", "description", "access", "target", "updated"],
});

const promptArgument = p.define("mcp-prompt-argument", {
  title: "MCP Prompt Argument",
  description: "One argument of a prompt.",
  properties: {
    id: p.id("${name}", { snakeCase: true }),
    name: p.text("Name", "Lower case, digits and underscores.", { pattern: snakeCase }),
    description: p.text("Description", "What to fill in."),
    required: p.toggle("Required", "Whether it may be left out.", { default: false }),
  },
  required: ["id", "name"],
  index: [],
});

const tool = p.define("mcp-tool", {
  title: "MCP Tool",
  description: "A saved query that agents can call as a tool.",
  properties: {
    id: p.id(undefined, { snakeCase: true }),
    description: p.textarea("Description", "What the tool answers.", { minLength: 1, maxLength: 1024 }),
    params: p.json("Parameters", "Name to type, description and default."),
    filters: p.json("Filters", "Property to value and operator."),
    sort: p.text("Sort", "Such as date:desc."),
    limit: p.number("Limit", "Rows of an answer.", { default: 20, minimum: 1, maximum: 50 }),
    offset: p.number("Offset", "Rows left out at the start.", { default: 0, minimum: 0 }),
    include: p.text("Include", "A filter: only these objects."),
    exclude: p.text("Exclude", "A filter: not these objects."),
    format: p.select("Format", "How styled text is given.", {
      default: "markdown",
      enum: ["markdown", "html", "text"],
    }),
  },
  required: ["id", "description"],
  index: [],
});

export const serviceSchemas: SchemaRecord[] = [mailer, automation, trigger, prompt, promptArgument, tool];
