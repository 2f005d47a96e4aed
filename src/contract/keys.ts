// API keys on the wire.

export const keyMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type KeyMethod = (typeof keyMethods)[number];

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  methods: KeyMethod[];
  /** Path prefixes without `/api`; `*` is every endpoint. */
  endpoints: string[];
  /** It sees no drafts; left out of keys that do. */
  published?: true;
  created: string;
  lastUsed: string | null;
}
