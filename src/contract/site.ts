// Routes of the site on the wire.

/** One route of the site, and what it shares its addresses with. */
export interface SiteRouteInfo {
  kind: "page" | "object";
  /** Of the page, or of the collection whose objects have these addresses. */
  id: string;
  route: string;
  title: string;
  template: string;
  status: number;
  draft: boolean;
  collection: string;
  parent: string;
  order: number;
  /** Routes that fit the same addresses; the first of them in the order of the site answers. */
  clashes: string[];
  /** Why it cannot answer; empty when it can. */
  problem: string;
}

/** Who answers a path, and why. */
export interface SiteAnswerInfo {
  path: string;
  kind: "service" | "file" | "page" | "object" | "redirect" | "gone" | "robots" | "favicon" | "missing" | "off";
  status: number;
  page: string;
  collection: string;
  object: string;
  template: string;
  target: string;
  params: Record<string, string>;
  /** One sentence each, in the order in which it was decided. */
  steps: string[];
}

/** Something about the site that its builders should know. */
export interface SiteFinding {
  level: "error" | "warning" | "hint";
  message: string;
  cure: string;
  /** Id of the template or page that it is about; empty for the whole site. */
  template: string;
  page: string;
  /** Of the template; 0 where it has no place. */
  line: number;
}

/** An error of a page or template in the last days, counted. */
export interface SiteErrorInfo {
  id: string;
  /** `page`: a page could not be made; `read`: a template asked for what the site may not show, and got nothing. */
  kind: "page" | "read";
  /** Empty where no template is to blame. */
  template: string;
  /** 0 where it has no place. */
  line: number;
  column: number;
  message: string;
  /** Of the last one; empty for callers that may not read the object of that page. */
  path: string;
  /** Of the last request; the log has it. */
  requestId: string;
  count: number;
  first: string;
  last: string;
}
