// Every tag and filter of pages: importing a file registers what is in it.

import "./filters/content.ts";
import "#site/forms/form-tag.ts";
import "./filters/dates.ts";
import "./filters/images.ts";
import "./filters/links.ts";
import "./filters/numbers.ts";
import "./filters/texts.ts";
import "./filters/values.ts";
import "./tags/ends.ts";
import "./tags/fragment.ts";
import "./tags/head.ts";
import "./tags/layout.ts";
import "./tags/navigation.ts";
import "./tags/plain.ts";
import "./tags/query.ts";
import "./tags/search.ts";
