// The page of what a job is about. Pure.

import type { JobAnswer } from "@contract/jobs.ts";
import type { Target } from "#shell/links.tsx";

export function targetOf({ kind, subject }: Pick<JobAnswer, "kind" | "subject">): Target | undefined {
  if (subject === "") return undefined;
  switch (kind) {
    case "automation":
      return { to: "/admin/automations/$id", params: { id: subject }, search: { tab: "runs" } };
    case "bulk":
    case "import":
    case "import-dry-run":
    case "index":
      return { to: "/admin/collections/$collection", params: { collection: subject } };
    case "images.warm":
      return { to: "/admin/collections/$collection", params: { collection: subject.split("/")[0] ?? "" } };
    case "view.build":
      return { to: "/admin/collections/$collection/$id", params: { collection: "dataviews", id: subject } };
    case "mail.send":
    case "mail.batch":
    case "mail.bulk":
      return { to: "/admin/mailer/$id", params: { id: subject } };
    case "webhook.deliver":
      return { to: "/admin/webhooks/$id", params: { id: subject } };
    default:
      return undefined;
  }
}
