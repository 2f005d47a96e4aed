// How the endpoint names itself to clients.

import { version } from "#base/version.ts";

export const serverInfo = { name: "cairn", title: "Cairn", version };
