// Users for tests of extensions: one of each group that a test names, signed in once.

type Send = (
  path: string,
  given: { method?: string; headers?: Record<string, string>; body?: unknown },
) => Promise<Response>;

const password = "correct-horse-battery";

export interface Sessions {
  /** The headers of a user of this group. */
  of(group: string): Promise<Record<string, string>>;
}

export function createSessions(send: Send, asAdmin: Record<string, string>): Sessions {
  const known = new Map<string, Promise<Record<string, string>>>();

  async function signIn(group: string): Promise<Record<string, string>> {
    const email = `${group}@example.org`;
    const user = { id: `test-${group}`, email, password, groups: [group], active: true };
    await expectOk(await send("/api/collections/auth", { headers: asAdmin, body: user }));
    const answer = await expectOk(await send("/api/auth/login", { body: { email, password } }));
    const { data } = (await answer.json()) as { data: { csrfToken: string } };
    const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    return { cookie, "x-csrf-token": data.csrfToken };
  }

  return {
    of(group) {
      const session = known.get(group) ?? signIn(group);
      known.set(group, session);
      return session;
    },
  };
}

async function expectOk(answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
