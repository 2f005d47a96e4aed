// The server's own pages in a browser: in both colour schemes, on a telephone and on a desk.

import { after, before, test } from "node:test";
import { becomes } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { allowProblems, axe, newPage, screenshot } from "../support/browser.ts";
import { askFor, askToken, authorizePath, getCode, makePkce, redirectUri, register } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let setupPath: string;

before(async () => {
  server = await startServer({ hasOAuth: true });
  setupPath = /\/setup\?token=\S+/.exec(server.stdout)?.[0] ?? "";
});
after(() => server.stop());

const looks = [
  { width: 360, theme: "light", ground: "rgb(244, 243, 239)" },
  { width: 1440, theme: "dark", ground: "rgb(19, 22, 21)" },
] as const;

interface Expected {
  heading: string;
  name: string;
  as?: Person;
  /** In both looks: pages with parts that the others do not have. */
  isOwnKind?: boolean;
}

async function look(path: string, { heading, name, as, isOwnKind = false }: Expected): Promise<void> {
  for (const { width, theme, ground } of isOwnKind ? looks : looks.slice(0, 1)) {
    const page = await newPage(server, { width, theme, ...(as && { as }) });
    await page.goto(path);
    await becomes(() => page.getByRole("heading", { level: 1 }).textContent(), heading);
    await becomes(() => page.evaluate<string>("getComputedStyle(document.body).backgroundColor"), ground);
    await becomes(() => page.evaluate<number>("document.documentElement.scrollWidth"), width);
    await becomes(() => axe(page), []);
    await screenshot(page, `${name}-${width}-${theme}`);
  }
}

test("ADM-9 the setup has the look of the admin, follows the system, and leads on", async () => {
  allowProblems(/status of 403/);
  await look(setupPath, { heading: "Set up Cairn", name: "setup", isOwnKind: true });
  await look("/setup/environment", { heading: "For administrators only", name: "setup-refused" });
  const page = await newPage(server);
  await page.goto(setupPath);
  await page.getByLabel("Email").fill("first@example.test");
  await page.getByLabel("Name").fill("First");
  await page.getByLabel("Password", { exact: true }).fill("long-enough-1");
  await page.getByLabel("Password again").fill("long-enough-1");
  await page.getByRole("button", { name: "Create administrator" }).click();
  await page.getByRole("heading", { level: 1, name: "Cairn is set up" }).waitFor();
  await becomes(() => axe(page), []);
  await becomes(() => page.getByRole("link", { name: "Continue" }).getAttribute("href"), "/setup/environment");
});

test("ADM-9 the pages for visitors have the look of the admin, and follow the system", async () => {
  allowProblems(/status of 40[034]/);
  await look("/login?redirect=/x", { heading: "Sign in", name: "login", isOwnKind: true });
  await look("/forgot-password", { heading: "Forgotten your password?", name: "forgot-password" });
  await look("/reset-password?token=x", { heading: "This link is not valid any more", name: "reset-password" });
  await look("/verify-email?token=x", { heading: "This link is not valid any more", name: "verify-email" });
  await look("/nothing-here", { heading: "Page not found", name: "not-found" });
  await look("/data/x", { heading: "Forbidden", name: "forbidden" });
});

test("ADM-9 the pages for users have the look of the admin, and say what an application gets", async () => {
  await server.makeSchema({ id: "note", properties: { id: { type: "slug" } }, required: ["id"] });
  await server.makeCollection({ id: "news", schema: "note", name: "News" });
  await makeUser(server, "ada", ["editor"]);
  const ada = await signIn(server, "ada");
  const client = { id: (await register(server, { token_endpoint_auth_method: "none" })).body.client_id as string };
  const { challenge, verifier } = makePkce();
  const asked = askFor(client, challenge, { scope: "cms:read mcp:tools" });
  const consentPath = authorizePath(asked);
  await look(consentPath, { heading: "App wants access", name: "consent", isOwnKind: true, as: ada });
  const page = await newPage(server, { as: ada });
  await page.goto(consentPath);
  await becomes(() => page.getByRole("list", { name: "What it may do" }).getByRole("listitem").count(), 2);
  await page.getByRole("list", { name: "What it reaches" }).getByText("News").first().waitFor();
  for (const name of ["Allow", "Deny"]) await page.getByRole("button", { name, exact: true }).waitFor();
  const grant = { grant_type: "authorization_code", redirect_uri: redirectUri, code_verifier: verifier };
  await becomes(
    async () => (await askToken(server, client, { ...grant, code: await getCode(ada, asked) })).status,
    200,
  );
  await look("/account/connections", {
    heading: "Connected applications",
    name: "connections",
    isOwnKind: true,
    as: ada,
  });
  await look("/api/docs", { heading: "Cairn REST API", name: "docs", as: ada });
});
