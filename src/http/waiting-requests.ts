// A client may send thousands of requests on one connection without waiting for an answer. Where they wait for their turn, the
// connection is read on only when there is room.

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What is read together with the last of them waits too: at most one piece of the connection's data. */
const mostOfConnection = 64;

/** Node's own: it stops reading a connection whose answers have too many bytes pending, and reads on by itself. */
interface Answer {
  _onPendingData?(bytes: number): void;
}

/**
 * While a request waits its answer counts as pending. To be ended before it begins: a body that is still coming belongs to the
 * last request of its connection, for which there is room then.
 */
export function countAsWaiting(socket: Socket, response: ServerResponse): () => void {
  const share = Math.ceil(socket.writableHighWaterMark / mostOfConnection);
  const answer = response as unknown as Answer;
  answer._onPendingData?.(share);
  return () => answer._onPendingData?.(-share);
}
