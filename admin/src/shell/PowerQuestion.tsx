// The question for the password that a request waits for. Saying no leaves the page as it is.

import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { PowerQuestionState } from "#session/power-question.ts";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { ConfirmPassword } from "./ConfirmPassword.tsx";

export function PowerQuestion({ answer, refuse }: PowerQuestionState) {
  const words = useWords(profileWords);
  return (
    <ConfirmPassword
      text={words.powerText}
      onConfirm={async (password) => {
        // A passkey is confirmed by now.
        if (password !== undefined) await ask(routes.confirmPassword, { body: { password } });
        answer();
      }}
      onClose={() => refuse(words.notConfirmed)}
    />
  );
}
