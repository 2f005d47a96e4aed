// How many requests of one connection are on their way to the process that writes. A client may send thousands at once without waiting
// for an answer; each of them takes a connection between the processes, and the answers go out in their order anyway. Only some of
// them wait here: then the connection is read on when there is room.

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { countAsWaiting } from "#http/waiting-requests.ts";

const atOnce = 4;

interface Connection {
  running: number;
  waiting: (() => void)[];
}

const connections = new WeakMap<Socket, Connection>();

/** `begin` is called at once, or when requests that came before have been answered; never for a connection that has ended. */
export function inTurns(socket: Socket, response: ServerResponse, begin: () => void): void {
  let connection = connections.get(socket);
  if (!connection) {
    connection = { running: 0, waiting: [] };
    connections.set(socket, connection);
  }
  const { waiting } = connection;
  const start = () => {
    connection.running += 1;
    response.once("close", () => {
      connection.running -= 1;
      if (!socket.destroyed) waiting.shift()?.();
    });
    begin();
  };
  if (connection.running < atOnce) {
    start();
    return;
  }
  const endWait = countAsWaiting(socket, response);
  waiting.push(() => {
    endWait();
    start();
  });
}
