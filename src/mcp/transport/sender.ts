// What travels beside each message: its caller. The library carries it from the endpoint to the handlers.

import type { Context } from "#context.ts";
import type { ToolFinder } from "#mcp/catalogue.ts";

export interface Sender {
  ctx: Context;
  findTool: ToolFinder;
  /** From now on changes of the resource are noticed. */
  beginWatching(uri: string): Promise<void>;
}

interface Carrier {
  extra?: Record<string, unknown>;
}

export function senderOf(carrier: Carrier | undefined): Sender {
  return carrier?.extra?.sender as Sender;
}
