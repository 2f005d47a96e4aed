// Makes a tool of what it asks for and what it does: arguments are checked, failures become results, calls are recorded.

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
  run(ctx: Context, args: JsonObject, call: ToolCall): Promise<Outcome>;
};

export function defineTool({ run, ...described }: ToolDefinition): Tool {
  return {
    ...described,
    async call(ctx, args, call) {
      const start = performance.now();
      const result = await attempt(ctx, () => run(ctx, readArguments(described.input, args), call));
      const error = result.isError ? codeOf(result) : undefined;
      const durationMs = performance.now() - start;
      const isWrite = !described.annotations.readOnlyHint;
      recordActivity(ctx, { method: "tools/call", name: described.name, args, durationMs, isWrite, error });
      return result;
    },
  };
}

async function attempt(ctx: Context, run: () => Promise<Outcome>): Promise<ToolResult> {
  try {
    const { structured, text = JSON.stringify(structured), isError } = await run();
    return { structured, text, ...(isError && { isError }) };
  } catch (error) {
    return failureOf(ctx, error);
  }
}

function codeOf({ structured }: ToolResult): string {
  return String((structured.error as JsonObject | undefined)?.code ?? "failed");
}
