import assert from "node:assert/strict";
import { test } from "node:test";
import type { RedirectStatus } from "#contract/redirects.ts";
import { canonicalPath, checkSource, checkTarget, fillTarget, withQuery } from "./redirect-paths.ts";
import { type PlannedRedirect, planRedirects } from "./redirect-plan.ts";

function redirect(source: string, target: string, status: RedirectStatus = 301): PlannedRedirect {
  const from = checkSource(source) as { source: string };
  const to = status === 410 ? { target: "", targetPath: null } : checkTarget(target, source);
  assert.ok("source" in from && "target" in to, `${source} ${target}`);
  return { ...from, ...to, status };
}

test("RED-2 every spelling of an address is compared as one", () => {
  for (const path of ["/caf%C3%A9", "/caf%c3%a9/", "/café"]) assert.equal(canonicalPath(path), "/café");
  assert.equal(canonicalPath("/100%25"), "/100%25");
  assert.equal(canonicalPath("/100%"), "/100%25");
  assert.equal(canonicalPath("/"), "/");
  for (const path of ["//a", "/a//b", "/a%2Fb", "/a\\b", "/a%5Cb", "/%00", "/../a", "/a/%2e%2e", "a"])
    assert.equal(canonicalPath(path), undefined, path);
});

test("RED-2 sources are paths, with * at their end alone", () => {
  assert.deepEqual(checkSource(" /old/ "), { source: "/old" });
  assert.deepEqual(checkSource("/old/*"), { source: "/old/*" });
  assert.deepEqual(checkSource("/*"), { source: "/*" });
  for (const source of ["", "old", "//old", "/a?b=1", "/a#b", "/a*", "/*/a", "/a/../b", "/a\\b", "/a\nb", "https://x/"])
    assert.ok("problem" in checkSource(source), source);
});

test("RED-3 targets are paths of this site or addresses with http or https", () => {
  assert.deepEqual(checkTarget("/new/ä?x=1", "/old"), { target: "/new/%C3%A4?x=1", targetPath: null });
  assert.deepEqual(checkTarget("/new/%C3%A4", "/old"), { target: "/new/%C3%A4", targetPath: "/new/ä" });
  assert.deepEqual(checkTarget("HTTPS://Example.com/a", "/old"), { target: "https://example.com/a", targetPath: null });
  const wrong = [
    "",
    "new",
    "//evil.example",
    "/\\evil.example",
    "/a//b",
    "javascript:alert(1)",
    "/a\tb",
    "/a\r\nSet-Cookie: x",
  ];
  for (const target of [...wrong, "https://", "https://u:p@x/", "ftp://x/", "/new/:splat", "http:evil"])
    assert.ok("problem" in checkTarget(target, "/old"), target);
  for (const target of ["https://:splat/", "https://a.:splat/", "https://x:splat/"])
    assert.ok("problem" in checkTarget(target, "/old/*"), target);
});

test("RED-4 the rest of the path goes where :splat stands", () => {
  assert.equal(fillTarget("/new/:splat", "a/b ä"), "/new/a/b%20%C3%A4");
  assert.equal(fillTarget("/new/:splat", ""), "/new");
  assert.equal(fillTarget("/:splat", ""), "/");
  assert.equal(fillTarget("/find?q=:splat", "a&b".replace("&", "%26")), "/find?q=a%26b");
  assert.equal(fillTarget("/new", "a"), "/new");
});

test("RED-4 the query is kept unless the target has one", () => {
  assert.equal(withQuery("/new", "a=1&b"), "/new?a=1&b");
  assert.equal(withQuery("/new#top", "a=1"), "/new?a=1#top");
  assert.equal(withQuery("/new?x=1", "a=1"), "/new?x=1");
  assert.equal(withQuery("/new", ""), "/new");
});

test("RED-5 chains are flattened, whichever end comes first", () => {
  const plan = planRedirects([redirect("/b", "/c")]);
  assert.equal(plan.put(redirect("/a", "/b")), undefined);
  assert.equal(plan.put(redirect("/c", "/d", 302)), undefined);
  assert.equal(plan.put(redirect("/d", "https://example.com/")), undefined);
  const all = ["/a", "/b", "/c", "/d"].map((source) => plan.find(source));
  assert.deepEqual(
    all.map((one) => [one?.target, one?.status]),
    [
      ["https://example.com/", 302],
      ["https://example.com/", 302],
      ["https://example.com/", 302],
      ["https://example.com/", 301],
    ],
  );
  assert.deepEqual(
    plan
      .changed()
      .map(({ source }) => source)
      .sort(),
    ["/a", "/b", "/c", "/d"],
  );
});

test("RED-5 what leads to a page that is gone keeps leading there", () => {
  const plan = planRedirects([redirect("/a", "/b")]);
  assert.equal(plan.put(redirect("/b", "", 410)), undefined);
  assert.equal(plan.find("/a")?.target, "/b");
});

test("RED-6 circles are refused and change nothing", () => {
  const plan = planRedirects([redirect("/a", "/b"), redirect("/b", "/c"), redirect("/old/*", "/new/:splat")]);
  const circles = [
    redirect("/a", "/a"),
    redirect("/c", "/a"),
    redirect("/c", "/a?x=1"),
    redirect("/new/x", "/old/x"),
    redirect("/new/*", "/old/:splat"),
    redirect("/more/*", "/more/and/:splat"),
    redirect("/*", "/all/:splat"),
  ];
  for (const one of circles) assert.ok(plan.put(one), `${one.source} ${one.target}`);
  assert.deepEqual(plan.changed(), []);
  assert.equal(plan.size, 3);
  assert.equal(plan.put(redirect("/*", "/home")), undefined);
  assert.equal(plan.put(redirect("/home", "/start")), undefined);
});
