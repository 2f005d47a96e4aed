// Sentences of signing in, on its page and over others.

import { plural } from "#words/format.ts";

export const signIn = {
  title: "Sign in",
  signIn: "Sign in",
  email: "Email",
  password: "Password",
  stay: "Stay signed in",
  byPasskey: "Sign in with a passkey",
  forgot: "Forgot password?",
  or: "or",
  failed: "This did not work. Check the email address and the password.",
  passkeyFailed: "No passkey was used. Try again, or sign in with your password.",
  emailMissing: "Enter your email address.",
  passwordMissing: "Enter your password.",
  tooMany: "Too many attempts. Wait a moment before you try again.",
  waitFor: (seconds: number) =>
    plural(seconds, { one: "Try again in 1 second", other: (n) => `Try again in ${n} seconds` }),
  again: "Sign in again",
  againText: (email: string) =>
    `Your session as ${email} has ended. What you typed is still here; it goes on where it stopped.`,
};
