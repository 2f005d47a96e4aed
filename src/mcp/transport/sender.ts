// What travels with each message beside it: who sends it. The library carries it from the door to the handlers.

import type { Context } from "#context.ts";

export interface Sender {
  ctx: Context;
  /** From now on changes of the resource are noticed. */
  beginWatching(uri: string): Promise<void>;
}

interface Carrier {
  extra?: Record<string, unknown>;
}

export function senderOf(carrier: Carrier | undefined): Sender {
  return carrier?.extra?.sender as Sender;
}
