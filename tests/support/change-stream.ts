// Reads a stream of changes as a browser's EventSource does.

import { http, type Server } from "../harness.ts";

export interface StreamEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of many shapes
  data: any;
}

export interface OpenStream {
  status: number;
  events: StreamEvent[];
  /** The last id, of an event or alone. */
  lastId: string;
  isEnded: boolean;
  close(): void;
}

interface StreamOptions {
  key?: string | null;
  lastId?: string;
}

export function openStream(server: Server, query: string, options: StreamOptions = {}): Promise<OpenStream> {
  const { key = server.key, lastId } = options;
  const headers = {
    ...(key !== null && { "x-api-key": key }),
    ...(lastId !== undefined && { "last-event-id": lastId }),
  };
  return new Promise((resolve, reject) => {
    const request = http.get(`${server.url}/api/changes/stream?${query}`, { headers }, (response) => {
      const stream: OpenStream = {
        ...{ status: response.statusCode ?? 0, events: [], lastId: "", isEnded: false },
        close: () => request.destroy(),
      };
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        const blocks = (rest + text).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) read(stream, block);
      });
      response.on("error", () => {});
      response.on("close", () => {
        stream.isEnded = true;
      });
      resolve(stream);
    });
    request.on("error", reject);
  });
}

function read(stream: OpenStream, block: string): void {
  const fields = new Map(
    block.split("\n").map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const id = fields.get("id");
  if (id !== undefined) stream.lastId = id;
  const data = fields.get("data");
  if (data !== undefined)
    stream.events.push({ id: stream.lastId, event: fields.get("event") ?? "", data: JSON.parse(data) });
}
