// Every tool of the service, in the order in which they are listed: first what reads, then what writes, then what rules.

import type { Tool } from "#mcp/tool.ts";
import { collectionTools } from "./collections.ts";
import { fileTools } from "./files.ts";
import { historyTools } from "./history.ts";
import { readingTools } from "./reading.ts";
import { resourceTools } from "./resource.ts";
import { schemaTools } from "./schemas.ts";
import { searchingTools } from "./searching.ts";
import { siteTools } from "./site.ts";
import { undoTools } from "./undo.ts";
import { viewTools } from "./views.ts";
import { writingTools } from "./writing.ts";

export const coreTools: readonly Tool[] = [
  ...collectionTools,
  ...readingTools,
  ...searchingTools,
  ...resourceTools,
  ...viewTools,
  ...writingTools,
  ...historyTools,
  ...undoTools,
  ...fileTools,
  ...schemaTools,
  ...siteTools,
];
