// The question for the password that a request waits for. Saying no leaves the page as it is.

import { useEffect } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { powerQuestion, watchPowerChanges } from "#session/power-question.ts";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { ConfirmPassword } from "./ConfirmPassword.tsx";

export function ConfirmPower() {
  const question = powerQuestion.use();
  const words = useWords(profileWords);
  useEffect(watchPowerChanges, []);
  if (!question) return null;
  return (
    <ConfirmPassword
      text={words.powerText}
      onConfirm={async (password) => {
        // A passkey is confirmed by now.
        if (password !== undefined) await ask(routes.confirmPassword, { body: { password } });
        question.answer();
      }}
      onClose={() => question.refuse(words.notConfirmed)}
    />
  );
}
