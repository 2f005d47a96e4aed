// In-process notice of what has been committed. Listeners never delay or fail the operation that fired.

export type CairnEvent =
  | { type: "object.created" | "object.updated" | "object.deleted"; collection: string; id: string }
  | { type: "collection.created" | "collection.updated" | "collection.deleted"; collection: string }
  | { type: "schema.saved" | "schema.deleted"; schema: string }
  | { type: "template.saved" | "template.deleted"; template: string }
  | { type: "user.login" | "user.logout"; user: string }
  | { type: "import.created" | "import.updated"; collection: string; id: string }
  | { type: "import.completed"; collection: string; created: number; updated: number };

export type Listener = (event: CairnEvent) => void;

export interface Events {
  emit(event: CairnEvent): void;
  on(listener: Listener): () => void;
}

export function createEvents(onError: (error: unknown) => void): Events {
  const listeners = new Set<Listener>();
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
