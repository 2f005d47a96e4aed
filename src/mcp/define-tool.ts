// Makes a tool from its description and its work: arguments are checked, failures become results, calls are recorded.

import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { recordActivity } from "./activity.ts";
import { readArguments } from "./arguments.ts";
import { failureOf } from "./failures.ts";
import type { Annotations, Tool, ToolCall, ToolResult } from "./tool.ts";

export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export interface Outcome {
  structured: JsonObject;
  /** The structured content as JSON; made when it is left out. */
  text?: string;
  isError?: true;
}

export type ToolDefinition = Omit<Tool, "call"> & {
  /** Left out: by the small part of JSON Schema that the service's own tools use. */
  readArguments?(args: JsonObject): JsonObject;
  run(ctx: Context, args: JsonObject, call: ToolCall): Promise<Outcome>;
};

export function defineTool({ run, readArguments: read, ...described }: ToolDefinition): Tool {
  const checked = read ?? ((args: JsonObject) => readArguments(described.input, args));
  return {
    ...described,
    async call(ctx, args, call) {
      const start = performance.now();
      let result: ToolResult;
      try {
        const { structured, text, isError } = await run(ctx, checked(args), call);
        result = { structured, text: text ?? JSON.stringify(structured), ...(isError && { isError }) };
      } catch (error) {
        result = failureOf(ctx, error);
      }
      const error = result.isError ? codeOf(result) : undefined;
      const durationMs = performance.now() - start;
      const isWrite = !described.annotations.readOnlyHint;
      recordActivity(ctx, { method: "tools/call", name: described.name, args, durationMs, isWrite, error });
      return result;
    },
  };
}

function codeOf({ structured }: ToolResult): string {
  return String((structured.error as JsonObject | undefined)?.code ?? "failed");
}
