// The server with other MCP tools in the place of its own: those that the protocol's official test suites ask for.
// Started by tests/mcp alone. The door, the sessions and the streams are the product's; only what is offered is not.

import { setTimeout as sleep } from "node:timers/promises";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { openApp } from "../src/app.ts";
import { loadSettings } from "../src/config/config.ts";
import { createObject } from "../src/content/objects/objects.ts";
import type { Context } from "../src/context.ts";
import { createSetupGate } from "../src/http/pages/setup.ts";
import { createServer } from "../src/http/server.ts";
import { setSetting } from "../src/installation/settings.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const say = (text: string) => ({ content: [{ type: "text" as const, text }] });
const nothing = fromJsonSchema({ type: "object", properties: {} });
const state = createRequestStateCodec({ key: "a key that only the test suites ever see" });
const asks = (message: string, properties: Record<string, { type: "string" | "boolean" }>) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: properties as never, required: Object.keys(properties) },
  });
const samples = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text } }], maxTokens });

function makeServer(ctx: Context): McpServer {
  const server = new McpServer(
    { name: "conformance", version: "1.0.0" },
    {
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
      },
      requestState: { verify: state.verify },
    },
  );
  addContentTools(server);
  addTalkingTools(server);
  addAskingTools(server);
  addChangingTools(server, { ...ctx, actor: { kind: "system" } });
  addResources(server);
  addPrompts(server);
  return server;
}

function addContentTools(server: McpServer): void {
  const embedded = { uri: "test://embedded-resource", mimeType: "text/plain" };
  const mixed = { uri: "test://mixed-content-resource", mimeType: "application/json" };
  const image = { type: "image" as const, data: png, mimeType: "image/png" };
  const tool = (name: string, content: object[]) =>
    server.registerTool(name, { description: name, inputSchema: nothing }, async () => ({ content }) as never);
  tool("test_simple_text", [{ type: "text", text: "This is a simple text response for testing." }]);
  tool("test_image_content", [image]);
  tool("test_audio_content", [{ type: "audio", data: wav, mimeType: "audio/wav" }]);
  tool("test_embedded_resource", [
    { type: "resource", resource: { ...embedded, text: "This is an embedded resource content." } },
  ]);
  tool("test_multiple_content_types", [
    { type: "text", text: "Multiple content types test:" },
    image,
    { type: "resource", resource: { ...mixed, text: '{"test":"data","value":123}' } },
  ]);
  server.registerTool("test_error_handling", { description: "Fails", inputSchema: nothing }, async () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  const address = { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } };
  const text = { type: "string" };
  server.registerTool(
    "json_schema_2020_12_tool",
    {
      description: "Tool with JSON Schema 2020-12 features",
      inputSchema: fromJsonSchema({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: { address: { $anchor: "addressDef", ...address } },
        properties: {
          ...{ name: text, address: { $ref: "#/$defs/address" }, phone: text, email: text },
          contactMethod: { type: "string", enum: ["phone", "email"] },
        },
        allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
        if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ["phone"] },
        else: { required: ["email"] },
        additionalProperties: false,
      } as never),
    },
    async () => say("ok"),
  );
  server.registerTool(
    "test_custom_headers",
    {
      description: "Takes an argument that clients repeat in a header",
      inputSchema: fromJsonSchema({
        type: "object",
        properties: { region: { type: "string", "x-mcp-header": "Region" } },
        required: ["region"],
      } as never),
    },
    async () => say("ok"),
  );
}

/** Tools that say something before they answer. */
function addTalkingTools(server: McpServer): void {
  const log = async (ctx: ServerContext, data: string) => ctx.mcpReq.log("info", data);
  for (const name of ["test_tool_with_logging", "test_logging_tool"]) {
    server.registerTool(name, { description: "Logs", inputSchema: nothing }, async (_args, ctx) => {
      await log(ctx, "Tool execution started");
      await sleep(50);
      await log(ctx, "Tool processing data");
      await sleep(50);
      await log(ctx, "Tool execution completed");
      return say("done");
    });
  }
  server.registerTool(
    "test_tool_with_progress",
    { description: "Tells its progress", inputSchema: nothing },
    async (_args, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          const params = { progressToken, progress, total: 100 };
          await ctx.mcpReq.notify({ method: "notifications/progress", params });
        }
        await sleep(50);
      }
      return say("done");
    },
  );
  server.registerTool(
    "test_reconnection",
    { description: "Closes its stream and goes on", inputSchema: nothing },
    async (_args, ctx) => {
      ctx.http?.closeSSE?.();
      await sleep(100);
      return say("done after the stream was closed");
    },
  );
}

/** A request to the client goes out on the stream of the call that it is about. */
const onStream = (ctx: ServerContext) => ({ relatedRequestId: ctx.mcpReq.id });

/** Tools that ask the client for something: by requests of their own (2025), or by what they answer (2026). */
function addAskingTools(server: McpServer): void {
  const prompt = fromJsonSchema<{ prompt: string }>({
    type: "object",
    properties: { prompt: { type: "string" } },
    required: ["prompt"],
  });
  const message = fromJsonSchema<{ message: string }>({
    type: "object",
    properties: { message: { type: "string" } },
    required: ["message"],
  });
  server.registerTool("test_sampling", { description: "Samples", inputSchema: prompt }, async (args, ctx) => {
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: args.prompt } }];
    const { content } = await ctx.mcpReq.requestSampling({ messages, maxTokens: 100 }, onStream(ctx));
    return say(`LLM response: ${"text" in content ? content.text : ""}`);
  });
  const elicit = (name: string, properties: object, required: string[] = []) =>
    server.registerTool(name, { description: "Elicits", inputSchema: nothing }, async (_args, ctx) => {
      const requestedSchema = { type: "object" as const, properties: properties as never, required };
      const { action, content } = await ctx.mcpReq.elicitInput(
        { message: "Please fill in", requestedSchema },
        onStream(ctx),
      );
      return say(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
    });
  server.registerTool("test_elicitation", { description: "Elicits", inputSchema: message }, async (args, ctx) => {
    const properties = {
      username: { type: "string" as const, description: "User's response" },
      email: { type: "string" as const, description: "User's email address" },
    };
    const requestedSchema = { type: "object" as const, properties, required: ["username", "email"] };
    const { action, content } = await ctx.mcpReq.elicitInput({ message: args.message, requestedSchema }, onStream(ctx));
    return say(`User response: action: ${action}, content: ${JSON.stringify(content ?? {})}`);
  });
  elicit("test_elicitation_sep1034_defaults", {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  });
  const options = ["option1", "option2", "option3"];
  const titled = ["First", "Second", "Third"].map((word, at) => ({ const: `value${at + 1}`, title: `${word} Option` }));
  elicit("test_elicitation_sep1330_enums", {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  });
  addInputTools(server);
}

function addInputTools(server: McpServer): void {
  type Answer = (ctx: ServerContext) => Promise<object>;
  const tool = (name: string, answer: Answer) =>
    server.registerTool(name, { description: name, inputSchema: nothing }, (_args, ctx) => answer(ctx) as never);
  const given = (ctx: ServerContext, key: string) => ctx.mcpReq.inputResponses?.[key];

  const nameOf = (ctx: ServerContext) => acceptedContent(ctx.mcpReq.inputResponses, "user_name")?.name;
  tool("test_input_required_result_elicitation", async (ctx) => {
    const name = nameOf(ctx);
    if (typeof name === "string") return say(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: asks("What is your name?", { name: { type: "string" } }) } });
  });
  tool("test_input_required_result_sampling", async (ctx) => {
    const sampled = inputResponse(ctx.mcpReq.inputResponses, "capital_question");
    if (sampled.kind === "sampling") return say(JSON.stringify(sampled));
    return inputRequired({ inputRequests: { capital_question: samples("What is the capital of France?", 100) } });
  });
  tool("test_input_required_result_list_roots", async (ctx) => {
    const roots = given(ctx, "client_roots");
    if (roots) return say(JSON.stringify(roots));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  for (const name of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"]) {
    tool(name, async (ctx) => {
      if (given(ctx, "confirm") && ctx.mcpReq.requestState() === "round one") return say("state-ok");
      const confirm = asks("Please confirm", { ok: { type: "boolean" } });
      return inputRequired({ inputRequests: { confirm }, requestState: await state.mint("round one") });
    });
  }
  tool("test_input_required_result_multiple_inputs", async (ctx) => {
    const keys = ["user_name", "greeting", "client_roots"];
    if (keys.every((key) => given(ctx, key)) && ctx.mcpReq.requestState() === "all") return say("all there");
    const inputRequests = {
      user_name: asks("What is your name?", { name: { type: "string" } }),
      greeting: samples("Generate a greeting", 50),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await state.mint("all") });
  });
  tool("test_input_required_result_multi_round", async (ctx) => {
    const round = ctx.mcpReq.requestState();
    if (round === "two" && given(ctx, "step2")) return say("both rounds are done");
    if (round === "one" && given(ctx, "step1")) {
      const step2 = asks("Step 2: What is your favorite color?", { color: { type: "string" } });
      return inputRequired({ inputRequests: { step2 }, requestState: await state.mint("two") });
    }
    const step1 = asks("Step 1: What is your name?", { name: { type: "string" } });
    return inputRequired({ inputRequests: { step1 }, requestState: await state.mint("one") });
  });
  tool("test_input_required_result_capabilities", async (ctx) => {
    const declared = capabilitiesOf(ctx);
    const inputRequests = {
      ...(declared.sampling && { greeting: samples("Generate a greeting", 50) }),
      ...(declared.elicitation && { user_name: asks("What is your name?", { name: { type: "string" } }) }),
    };
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : say("nothing to ask for");
  });
  // Asking for what the client has not declared is refused by the library.
  tool("test_missing_capability", async () => inputRequired({ inputRequests: { any: samples("Anything", 10) } }));
  tool("test_streaming_elicitation", async () => {
    return inputRequired({ inputRequests: { user_name: asks("What is your name?", { name: { type: "string" } }) } });
  });
}

function capabilitiesOf(ctx: ServerContext): ClientCapabilities {
  const envelope = ctx.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

/** They change what the product itself offers, so that its own notices are what the suites see. */
function addChangingTools(server: McpServer, system: Context): void {
  let changes = 0;
  const tool = (name: string, change: () => Promise<unknown>) =>
    server.registerTool(name, { description: name, inputSchema: nothing }, async () => {
      await change();
      return say("changed");
    });
  tool("test_trigger_tool_change", async () => {
    changes = Date.now();
    await setSetting(system, "mcp.toolPrefix", `p${changes}`);
  });
  tool("test_trigger_prompt_change", async () => {
    const name = `prompt_${Date.now()}`;
    await createObject(system, "mcp-prompt", { name, body: "x", access: "public", description: "x" });
  });
}

function addResources(server: McpServer): void {
  const text = "This is the content of the static text resource.";
  server.registerResource(
    "static-text",
    "test://static-text",
    { description: "Static text", mimeType: "text/plain" },
    async ({ href }) => ({ contents: [{ uri: href, mimeType: "text/plain", text }] }),
  );
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { description: "Static image", mimeType: "image/png" },
    async ({ href }) => ({ contents: [{ uri: href, mimeType: "image/png", blob: png }] }),
  );
  server.registerResource(
    "watched-resource",
    "test://watched-resource",
    { description: "Can be followed", mimeType: "text/plain" },
    async ({ href }) => ({ contents: [{ uri: href, mimeType: "text/plain", text: "watched" }] }),
  );
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "By id", mimeType: "application/json" },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
  server.server.setRequestHandler("resources/subscribe", async () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", async () => ({}));
}

function addPrompts(server: McpServer): void {
  const user = (content: object) => ({ role: "user" as const, content: content as never });
  const userText = (text: string) => user({ type: "text", text });
  server.registerPrompt("test_simple_prompt", { description: "Simple" }, async () => ({
    messages: [userText("This is a simple prompt for testing.")],
  }));
  const texts = <T>(...names: string[]) =>
    fromJsonSchema<T>({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      required: names,
    });
  server.server.setRequestHandler("completion/complete", async () => ({
    completion: { values: ["paris", "park", "party"], total: 3, hasMore: false },
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "With arguments", argsSchema: texts<{ arg1: string; arg2: string }>("arg1", "arg2") },
    async ({ arg1, arg2 }) => ({ messages: [userText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "With a resource", argsSchema: texts<{ resourceUri: string }>("resourceUri") },
    async ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: "text/plain", text: "Embedded resource content for testing." };
      const messages = [user({ type: "resource", resource }), userText("Please process the embedded resource above.")];
      return { messages };
    },
  );
  server.registerPrompt("test_prompt_with_image", { description: "With an image" }, async () => ({
    messages: [user({ type: "image", data: png, mimeType: "image/png" }), userText("Please analyze the image above.")],
  }));
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks first" }, (async (
    ctx: ServerContext,
  ) => {
    const context = acceptedContent(ctx.mcpReq.inputResponses, "user_context")?.context;
    if (typeof context === "string") return { messages: [userText(`With ${context}`)] };
    const user_context = asks("What context should the prompt use?", { context: { type: "string" } });
    return inputRequired({ inputRequests: { user_context } });
  }) as never);
}

const settings = loadSettings({ projectDir: process.env.CAIRN_DATA ?? ".", env: process.env, flags: { port: "0" } });
const { app, close } = await openApp(settings, "server");
const server = await createServer(app, { setup: await createSetupGate(app, "x"), mcpServer: makeServer });
console.log(`Cairn is ready at ${await server.listen({ host: "127.0.0.1", port: 0 })}`);
process.once("SIGTERM", async () => {
  await server.close();
  await close();
});
