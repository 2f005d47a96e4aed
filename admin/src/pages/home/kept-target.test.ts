import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { targetOf } from "./kept-target.ts";

test("ADM-1004 kept changes lead to the page of what was changed", () => {
  const at = (collection: string, id: string) => targetOf({ collection, id });
  deepEqual(at("auth", "ada"), { to: "/admin/users/$id", params: { id: "ada" } });
  deepEqual(at("automations", "-new"), { to: "/admin/automations/-new" });
  deepEqual(at("mailer", "hello"), { to: "/admin/mailer/$id", params: { id: "hello" } });
  deepEqual(at("dataviews", "top"), { to: "/admin/dataviews/$id", params: { id: "top" } });
  deepEqual(at("-schemas", "event"), { to: "/admin/schemas/$id", params: { id: "event" } });
  deepEqual(at("-settings", "smtp"), { to: "/admin/settings/$section", params: { section: "smtp" } });
  deepEqual(at("-webhooks", "-new"), { to: "/admin/webhooks/-new" });
  deepEqual(at("templates", "a/b"), { to: "/admin/templates/$", params: { _splat: "a/b" } });
  deepEqual(at("news", "-new"), { to: "/admin/collections/$collection/-new", params: { collection: "news" } });
  deepEqual(at("news", "-settings"), {
    to: "/admin/collections/$collection/-settings",
    params: { collection: "news" },
  });
  deepEqual(at("news", "one"), {
    to: "/admin/collections/$collection/$id",
    params: { collection: "news", id: "one" },
  });
});
