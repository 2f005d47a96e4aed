import { mcp } from "./en/mcp.ts";
import { defineWords } from "./language.ts";

export const mcpWords = defineWords(mcp);
