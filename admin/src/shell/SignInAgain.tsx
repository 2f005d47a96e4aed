// The session has ended: the same user signs in again over the page, and nothing on it is lost.

import { KeyRound } from "lucide-react";
import { useEffect, useState } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { sessionQuestion } from "#session/session-end.ts";
import { canUsePasskeys, signIn, signInByPasskey } from "#session/sign-in.ts";
import { useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { signInWords } from "#words/sign-in.ts";
import { SignInProblem } from "./SignInProblem.tsx";
import { useSignIn } from "./use-sign-in.ts";

export function SignInAgain() {
  const question = sessionQuestion.use();
  return question && <Question answer={question.answer} refuse={question.refuse} />;
}

function Question({ answer, refuse }: { answer: () => void; refuse: () => void }) {
  const words = { ...useWords(commonWords), ...useWords(signInWords) };
  const { user, impersonator, site } = useStart();
  // Acting as somebody has ended too: the administrator signs in as themselves, and the page is loaded again.
  const { email } = impersonator ?? user;
  const [password, setPassword] = useState("");
  const { problem, isPending, wait, run } = useSignIn(answer);
  useSignedInElsewhere(answer);
  return (
    <Dialog
      title={words.again}
      size="small"
      onClose={refuse}
      onSubmit={() => run(() => signIn({ email, password }))}
      footer={
        <>
          <Button onPress={refuse}>{words.cancel}</Button>
          {site.passkeys && canUsePasskeys() && (
            <Button icon={KeyRound} onPress={() => run(signInByPasskey)}>
              {words.byPasskey}
            </Button>
          )}
          <Button variant="primary" type="submit" isPending={isPending} isDisabled={wait > 0}>
            {words.signIn}
          </Button>
        </>
      }
    >
      <p>{words.againText(email)}</p>
      <SignInProblem problem={problem} wait={wait} />
      <TextInput label={words.email} value={email} onChange={() => undefined} autoComplete="username" isReadOnly />
      <PasswordInput
        label={words.password}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus
      />
    </Dialog>
  );
}

/** Back from another tab, where the same user may have signed in meanwhile. */
function useSignedInElsewhere(answer: () => void): void {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState !== "visible") return;
      ask(routes.session, { takes401: true }).then(answer, () => undefined);
    };
    addEventListener("visibilitychange", look);
    return () => removeEventListener("visibilitychange", look);
  }, [answer]);
}
