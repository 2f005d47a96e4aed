// Every tag and filter of pages: importing a file registers what is in it.

import "./filters/dates.ts";
import "./filters/images.ts";
import "./filters/links.ts";
import "./filters/numbers.ts";
import "./filters/texts.ts";
import "./filters/values.ts";
import "./tags/layout.ts";
import "./tags/plain.ts";
import "./tags/query.ts";
