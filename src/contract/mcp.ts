// The state of the MCP endpoint on the wire.

/** What `cairn mcp:status` shows. */
export interface McpSetUp {
  enabled: boolean;
  endpoint: string;
  /** Clients without credentials may enter. */
  publicAccess: boolean;
  apiKeys: boolean;
  oauth: boolean;
  publicIpPerMinute: number;
  allowedOrigins: string[];
  toolPrefix: string;
  subscriptionsEnabled: boolean;
  /** Open ones. */
  sessions: number;
}

/** `GET /api/mcp-status`. */
export interface McpStatus extends McpSetUp {
  collections: McpCollection[];
  /** Names of the tools of the service itself, as clients see them. */
  tools: string[];
}

/** What a collection opens to clients. */
export interface McpCollection {
  id: string;
  name: string;
  access: "public" | "authenticated" | "admin";
  /** It is listed as a resource that clients can follow. */
  resource: boolean;
  /** Its saved queries, which are tools. */
  tools: string[];
}

export interface DoctorCheck {
  check: string;
  result: "pass" | "warn" | "fail" | "skip";
  message: string;
  /** What to do. */
  fix?: string;
}

/** `POST /api/mcp-doctor`. */
export interface DoctorReport {
  url: string;
  /** Nothing failed: clients can connect. */
  isWell: boolean;
  checks: DoctorCheck[];
}
