// People for black-box tests: makes users, signs them in, and carries their cookie and CSRF token. It never asserts.

import type { Answer, RequestOptions, Server } from "../harness.ts";

export const password = "correct-horse-1";

export interface Person {
  id: string;
  /** `cairn_session=...`, to be sent as it is. */
  cookie: string;
  token: string;
  /** With the cookie and, where it writes, the token; headers given here lie over both. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
}

/** A user of these groups, by an API key that may do everything. */
export async function makeUser(server: Server, id: string, groups: string[] = [], more: object = {}): Promise<void> {
  const body = { id, email: `${id}@example.test`, password, groups, active: true, ...more };
  const { status, text } = await server.request("POST", "/api/collections/auth", { body });
  if (status !== 201) throw new Error(`no user ${id}: ${status} ${text}`);
}

export function logIn(server: Server, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  return server.request("POST", "/api/auth/login", { key: null, body, headers });
}

/** Signs in, and confirms the password: for ten minutes this session makes power changes. */
export async function signIn(
  server: Server,
  id: string,
  more: { password?: string; remember?: boolean } = {},
): Promise<Person> {
  const person = await signInAlone(server, id, more);
  await confirm(person, more.password);
  return person;
}

/** Gives the password of tests once more, for the session of this person. */
export async function confirm(person: Person, sent = password): Promise<void> {
  const { status, text } = await person.request("POST", "/api/auth/confirm", { body: { password: sent } });
  if (status !== 200) throw new Error(`${person.id} cannot confirm: ${status} ${text}`);
}

/** A session that has confirmed nothing. */
export async function signInAlone(server: Server, id: string, more: object = {}): Promise<Person> {
  const answer = await logIn(server, { login: id, password, ...more });
  if (answer.status !== 200) throw new Error(`${id} cannot sign in: ${answer.status} ${answer.text}`);
  return personOf(server, answer);
}

/** From an answer that begins a session. */
export function personOf(server: Server, answer: Answer): Person {
  const cookie = cookieOf(answer);
  const token: string = answer.body.data.csrfToken;
  return {
    id: answer.body.data.user.id,
    cookie,
    token,
    request(method, path, options = {}) {
      const isRead = method === "GET" || method === "HEAD";
      const headers = { cookie, ...(!isRead && { "x-csrf-token": token }), ...options.headers };
      return server.request(method, path, { key: null, ...options, headers });
    },
  };
}

/** The name and value that the answer sets. */
export function cookieOf(answer: Answer): string {
  return (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] as string;
}
