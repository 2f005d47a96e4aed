// Sends a part of a file to a signed address. The bytes go through two buffers that are reused (pump.ts):
// memory stays constant whatever the size, where `fetch` would allocate for every piece.

import type { FileHandle } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { ByteRange } from "./port.ts";
import { pump } from "./pump.ts";

export interface SendAnswer {
  status: number;
  etag: string;
}

/** Gives up when nothing moves for this long. The file stays open. */
export async function sendRange(
  url: string,
  file: FileHandle,
  { range, patienceMs }: { range: ByteRange; patienceMs: number },
): Promise<SendAnswer> {
  const request = url.startsWith("https:") ? httpsRequest : httpRequest;
  const outgoing = request(url, { method: "PUT", headers: { "content-length": range.end + 1 - range.start } });
  outgoing.setTimeout(patienceMs, () => outgoing.destroy(new Error("no answer in time")));
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.on("error", reject);
  });
  const sending = pump(file, outgoing, range).then(() => outgoing.end());
  try {
    sending.catch((error) => outgoing.destroy(error));
    // A refusal may arrive before the end.
    const answer = await answered;
    // Its head is enough; the rest may break off.
    answer.on("error", () => {}).resume();
    return { status: answer.statusCode ?? 0, etag: answer.headers.etag ?? "" };
  } finally {
    if (!outgoing.writableEnded) outgoing.destroy();
    await sending.catch(() => {});
  }
}
