// Why signing in did not work. The seconds count down beside the message: only the message is announced.

import { Notice } from "#ui/Notice.tsx";
import { useWords } from "#words/language.ts";
import { signInWords } from "#words/sign-in.ts";

export function SignInProblem({ problem, wait }: { problem: string; wait: number }) {
  const words = useWords(signInWords);
  return (
    <>
      <div role="alert">{problem !== "" && <Notice tone="bad">{problem}</Notice>}</div>
      {wait > 0 && (
        <p role="timer" aria-live="off">
          {words.waitFor(wait)}
        </p>
      )}
    </>
  );
}
