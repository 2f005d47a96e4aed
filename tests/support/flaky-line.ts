// A line to the server that breaks: so many connections are cut once they have carried so many bytes.

import { type AddressInfo, connect, createServer } from "node:net";
import type { Server } from "../harness.ts";

export interface FlakyLine {
  url: string;
  cutsLeft(): number;
  close(): void;
}

export async function flakyLine(server: Server, { cuts, bytes }: { cuts: number; bytes: number }): Promise<FlakyLine> {
  const { port: serverPort } = new URL(server.url);
  let left = cuts;
  const line = createServer((client) => {
    const upstream = connect(Number(serverPort), "127.0.0.1");
    let carried = 0;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (chunk) => {
      carried += chunk.length;
      if (carried > bytes && left > 0) {
        left -= 1;
        end();
      } else if (!upstream.write(chunk)) client.pause();
    });
    upstream.on("drain", () => client.resume());
    upstream.pipe(client);
    for (const side of [client, upstream]) side.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve));
  const { port } = line.address() as AddressInfo;
  return { url: `http://localhost:${port}`, cutsLeft: () => left, close: () => line.close() };
}
