// Signing in. It leads back to the page that was asked for, and says nothing about which of email and password was wrong.

import { useRouter, useSearch } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { mayBeSignedIn } from "#session/boot.ts";
import { isAdminPath, ownPath } from "#session/own-path.ts";
import { queryClient } from "#session/query-client.ts";
import { canUsePasskeys, signIn, signInByPasskey } from "#session/sign-in.ts";
import { siteName } from "#session/site-name.ts";
import { startQuery } from "#session/start.ts";
import { useTitle } from "#shell/page-title.ts";
import { SignInProblem } from "#shell/SignInProblem.tsx";
import { useSignIn } from "#shell/use-sign-in.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Mark } from "#ui/Mark.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { Slab } from "#ui/Slab.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { useWords } from "#words/language.ts";
import { signInWords } from "#words/sign-in.ts";
import styles from "./LoginPage.module.css";

export function LoginPage() {
  const words = useWords(signInWords);
  const leave = useLeave();
  useTitle(words.title, siteName());
  useEffect(() => {
    // Opened by hand while somebody is signed in already.
    if (mayBeSignedIn()) queryClient.fetchQuery(startQuery).then(leave, () => undefined);
  }, [leave]);
  return (
    <main className={styles.page}>
      <div className={styles.brand}>
        <Mark size={40} className={styles.mark} />
        <p className={styles.site}>{siteName()}</p>
      </div>
      <Slab className={styles.slab}>
        <h1>{words.title}</h1>
        <LoginForm onDone={leave} />
      </Slab>
    </main>
  );
}

/** Goes where the person wanted to go. */
function useLeave(): () => void {
  const { redirect } = useSearch({ from: "/admin/login" });
  const router = useRouter();
  const leave = useRef(() => undefined as unknown);
  leave.current = () => {
    const path = ownPath(redirect);
    if (isAdminPath(path)) router.history.replace(path);
    else location.replace(path.startsWith("/admin") ? "/admin" : path);
  };
  return useRef(() => void leave.current()).current;
}

function LoginForm({ onDone }: { onDone: () => void }) {
  const words = useWords(signInWords);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [remember, setRemember] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { problem, isPending, wait, run } = useSignIn(onDone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsAsked(true);
    if (email.trim() !== "" && password !== "") return run(() => signIn({ email, password, remember }));
    form.current?.querySelector<HTMLInputElement>(email.trim() === "" ? "[name=email]" : "[name=password]")?.focus();
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <SignInProblem problem={problem} wait={wait} />
      <TextInput
        label={words.email}
        name="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={setEmail}
        error={isAsked && email.trim() === "" ? words.emailMissing : undefined}
        autoFocus
      />
      <PasswordInput
        label={words.password}
        name="password"
        value={password}
        onChange={setPassword}
        error={isAsked && password === "" ? words.passwordMissing : undefined}
      />
      <Checkbox label={words.stay} isSelected={remember} onChange={setRemember} />
      <Button variant="primary" type="submit" isPending={isPending} isDisabled={wait > 0}>
        {words.signIn}
      </Button>
      {canUsePasskeys() && (
        <Button icon={KeyRound} isDisabled={wait > 0} onPress={() => run(signInByPasskey)}>
          {words.byPasskey}
        </Button>
      )}
      <a href="/forgot-password">{words.forgot}</a>
    </form>
  );
}
