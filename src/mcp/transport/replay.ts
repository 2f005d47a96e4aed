// The last events of a session, so that a client whose connection broke can take its stream up where it ended.
// In memory, few and small: events that were dropped are not replayed, and the client asks again.

import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface StoredEvent {
  id: string;
  streamId: string;
  message: JSONRPCMessage;
  size: number;
}

const maxEvents = 50;
const maxCharacters = 65_536;

export function createReplay(): EventStore {
  let events: StoredEvent[] = [];
  let characters = 0;
  let count = 0;

  function find(id: string): StoredEvent | undefined {
    return events.find((event) => event.id === id);
  }

  return {
    async storeEvent(streamId, message) {
      count += 1;
      const event = { id: `${count}-${streamId}`, streamId, message, size: JSON.stringify(message).length };
      events.push(event);
      characters += event.size;
      while (events.length > maxEvents || (characters > maxCharacters && events.length > 1)) {
        characters -= events[0]?.size ?? 0;
        events = events.slice(1);
      }
      return event.id;
    },
    async getStreamIdForEventId(id) {
      return find(id)?.streamId;
    },
    async replayEventsAfter(id, { send }) {
      const last = find(id);
      if (!last) throw new Error("There is no such event.");
      for (const event of events.slice(events.indexOf(last) + 1)) {
        const isPriming = Object.keys(event.message).length === 0;
        if (event.streamId === last.streamId && !isPriming) await send(event.id, event.message);
      }
      return last.streamId;
    },
  };
}
