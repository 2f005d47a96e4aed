// Uploads in pieces: each piece is a request of its own, which may be sent again, and the progress is known without the help
// of the browser. Small files are one piece.

import type { Answer, Call, Transport } from "./transport.ts";
import type { CallOptions } from "./types.ts";

export interface UploadOptions extends CallOptions {
  /** The name of the file, where the source has none. */
  name?: string;
  /** Of a depot. */
  folder?: string;
  /** Called after each piece. */
  onProgress?(progress: { sent: number; total: number }): void;
  /** Bytes of one piece; chosen by the size of the file when left out. */
  pieceSize?: number;
}

export interface FileTarget {
  /** Of the property, below the site. */
  path: string;
  property: string;
}

const smallest = 256 * 1024;
const largest = 8 * 1024 * 1024;
const pieces = 20;

export async function uploadFile(
  transport: Transport,
  { path, property }: FileTarget,
  file: Blob,
  options: UploadOptions = {},
): Promise<Answer> {
  const { onProgress, signal, folder } = options;
  const name = options.name ?? (file as { name?: string }).name ?? "file";
  const size = Math.max(1, options.pieceSize ?? Math.min(largest, Math.max(smallest, Math.ceil(file.size / pieces))));
  const total = Math.max(1, Math.ceil(file.size / size));
  const uuid = crypto.randomUUID();
  const query: Call["query"] = folder === undefined ? [] : [["path", folder]];
  for (let index = 0; ; index += 1) {
    const form = new FormData();
    if (total > 1) {
      form.set("dzchunkindex", String(index));
      form.set("dztotalchunkcount", String(total));
      form.set("dzuuid", uuid);
    }
    const end = Math.min(file.size, (index + 1) * size);
    form.set(property, file.slice(index * size, end, file.type), name);
    const answer = await transport.send({ method: "POST", path, query, form, signal, isRepeatable: total > 1 });
    if (!answer.ok) return answer;
    onProgress?.({ sent: end, total: file.size });
    if (index + 1 === total) return answer;
  }
}
