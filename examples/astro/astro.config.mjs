// A static site: pages are made once, when it is built, from the content of Cairn.

import { defineConfig } from "astro/config";

export default defineConfig({ output: "static" });
