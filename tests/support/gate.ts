// A gate in front of a server: what is sent to it waits while the gate is shut. It never asserts.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Gate {
  port: number;
  /** What waits, in the order in which it came. */
  waiting: (() => void)[];
  shut(): void;
  /** Shuts the gate before the first piece that is meant. */
  shutBefore(isMeant: (piece: string) => boolean): void;
  /** The first piece that is meant waits; all others pass. */
  holdOne(isMeant: (piece: string) => boolean): void;
  open(): void;
  /** Opens the gate; what waited never arrives. */
  drop(): void;
  close(): void;
}

export async function openGate(port: number): Promise<Gate> {
  let isShut = false;
  let isMeant = (_piece: string) => false;
  let isHeld = (_piece: string) => false;
  const waiting: (() => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const onward = connect(port, "127.0.0.1");
    socket.on("data", (bytes) => {
      const pass = () => onward.write(bytes);
      const piece = bytes.toString("latin1");
      if (!isShut && isMeant(piece)) isShut = true;
      const isOne = isHeld(piece);
      if (isOne) isHeld = () => false;
      if (isShut || isOne) waiting.push(pass);
      else pass();
    });
    onward.pipe(socket);
    for (const one of [socket, onward]) one.on("error", () => one.destroy());
    socket.on("close", () => onward.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const release = () => {
    isShut = false;
    isMeant = () => false;
    isHeld = () => false;
    return waiting.splice(0);
  };
  return {
    port: (server.address() as AddressInfo).port,
    waiting,
    shut() {
      isShut = true;
    },
    shutBefore(meant) {
      isMeant = meant;
    },
    holdOne(meant) {
      isHeld = meant;
    },
    open() {
      for (const pass of release()) pass();
    },
    drop: () => void release(),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
