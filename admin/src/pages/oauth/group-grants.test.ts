import assert from "node:assert/strict";
import { test } from "node:test";
import type { OAuthGrant } from "@contract/oauth.ts";
import { groupByClient } from "./group-grants.ts";

const grant = (clientId: string, clientName: string, userId: string) =>
  ({ id: `${clientId}-${userId}`, clientId, clientName, clientOrigin: "dynamic", userId }) as OAuthGrant;

test("ADM-853 grants are grouped by client, and clients of the same name stay separate", () => {
  const groups = groupByClient([
    grant("11111111-a", "Robot", "ada"),
    grant("22222222-b", "Robot", "ada"),
    grant("33333333-c", "Alone", "ada"),
    grant("11111111-a", "Robot", "bob"),
    grant("https://x.example/app", "Robot", "bob"),
  ]);
  assert.deepEqual(
    groups.map(({ label, grants }) => [label, grants.length]),
    [
      ["Alone", 1],
      ["Robot (11111111)", 2],
      ["Robot (22222222)", 1],
      ["Robot (x.example/app)", 1],
    ],
  );
});
