import { mcp } from "./en/mcp.ts";
import { defineWords } from "./language.ts";

export const mcpWords = defineWords(mcp, { de: () => import("./de/mcp.ts").then((words) => words.mcp) });
