// A passcode for a page. The step looks for a cookie that only this extension can make; the route at /unlock makes it when the
// passcode is right. Another passcode ends all cookies of the page. When anything fails the page stays closed.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

interface Visit {
  path: string;
  query: Record<string, string>;
  cookies: Record<string, string>;
  page: { id?: unknown; data?: unknown };
}
interface RouteCall {
  params: Record<string, string>;
  body: unknown;
}
interface Cairn {
  settings: { get(key: string): unknown };
  store: {
    get(key: string): Promise<{ value: unknown } | null>;
    set(key: string, value: string, options: { rev: number }): Promise<number>;
  };
  own: { objects: { get(collection: string, id: string): Promise<Record<string, unknown>> } };
  pageStep(name: string, run: (visit: Visit) => Promise<unknown>): void;
  siteRoute(name: string, run: (call: RouteCall) => Promise<unknown>): void;
  fail(status: number, message: string): never;
}

const day = 86_400;

function passcodeOf(page: Record<string, unknown>): string {
  const { data } = page;
  const code = typeof data === "object" && data !== null ? (data as Record<string, unknown>).passcode : undefined;
  return typeof code === "string" || typeof code === "number" ? String(code) : "";
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export function register(cairn: Cairn): void {
  /** Made once, by whichever process needs it first. */
  async function secret(): Promise<string> {
    const known = await cairn.store.get("secret");
    if (known) return String(known.value);
    await cairn.store.set("secret", randomBytes(32).toString("hex"), { rev: 0 }).catch(() => {});
    return String((await cairn.store.get("secret"))?.value);
  }

  async function sign(page: string, passcode: string, until: number): Promise<string> {
    const mac = createHmac("sha256", await secret()).update(`${page}\n${passcode}\n${until}`);
    return `${until}.${mac.digest("base64url")}`;
  }

  cairn.pageStep("passcode", async (visit) => {
    const id = String(visit.page.id ?? "");
    const passcode = passcodeOf(visit.page as Record<string, unknown>);
    const asked = { page: id, path: visit.path, isWrong: visit.query.unlock === "wrong" };
    // A page without a passcode stays closed: somebody meant to protect it.
    const closed = { status: 401, template: "ext/cairn/protect/page", data: asked, private: true };
    const sent = visit.cookies[`cx-pass-${id}`];
    if (passcode === "" || sent === undefined) return closed;
    const until = Number(sent.split(".")[0]);
    if (!(until > Date.now() / 1_000) || !isSame(sent, await sign(id, passcode, until))) return closed;
    return { private: true };
  });

  cairn.siteRoute("unlock", async ({ params, body }) => {
    const form = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
    const id = params.page ?? "";
    const page = await cairn.own.objects.get("builder-pages", id).catch(() => ({}));
    const passcode = passcodeOf(page);
    const back = typeof form.back === "string" && /^\/(?![/\\])/.test(form.back) ? form.back : "/";
    const path = back.split(/[?#]/)[0];
    const isRight = passcode !== "" && typeof form.passcode === "string" && isSame(form.passcode, passcode);
    if (!isRight) return { status: 303, headers: { location: `${path}?unlock=wrong` } };
    const seconds = (Number(cairn.settings.get("days")) || 7) * day;
    const token = await sign(id, passcode, Math.floor(Date.now() / 1_000) + seconds);
    return { status: 303, headers: { location: path, "set-cookie": `cx-pass-${id}=${token}; Max-Age=${seconds}` } };
  });
}
