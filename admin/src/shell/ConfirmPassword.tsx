// Asks for the present password, or a passkey, before a change that needs it.

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { confirmByPasskey, type Proof } from "#session/account.ts";
import { canUsePasskeys } from "#session/sign-in.ts";
import { useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { errorText } from "./LoadState.tsx";

interface ConfirmPasswordProps {
  text?: string;
  /** Does the change. What it throws is shown, and asked for again; a refusal that is not about the password closes first. */
  onConfirm: (proof: Proof) => Promise<void>;
  onClose: () => void;
}

export function ConfirmPassword({ text, onConfirm, onClose }: ConfirmPasswordProps) {
  const common = useWords(commonWords);
  const words = useWords(profileWords);
  const { site } = useStart();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState("");
  const [isPending, setIsPending] = useState(false);
  const explain = (error: unknown): string => {
    if (!(error instanceof ApiError)) return words.passkeyFailed;
    if (error.status === 403) return words.wrongPassword;
    if (error.status === 429) return words.tooMany(error.retryAfter ?? 60);
    return Object.values(error.details).flat()[0] ?? errorText(error, common).text;
  };
  const run = (attempt: () => Promise<void>) => {
    setIsPending(true);
    setProblem("");
    attempt()
      .catch((error: unknown) => setProblem(explain(error)))
      .finally(() => setIsPending(false));
  };
  const confirmThenRun = async () => {
    await confirmByPasskey();
    await onConfirm(undefined);
  };
  return (
    <Dialog
      title={words.confirmTitle}
      size="small"
      onClose={onClose}
      onSubmit={() => run(() => onConfirm(password))}
      footer={
        <>
          <Button onPress={onClose}>{common.cancel}</Button>
          {site.passkeys && canUsePasskeys() && (
            <Button icon={KeyRound} onPress={() => run(confirmThenRun)}>
              {words.byPasskey}
            </Button>
          )}
          <Button variant="primary" type="submit" isPending={isPending}>
            {words.confirm}
          </Button>
        </>
      }
    >
      <p>{text ?? words.confirmText}</p>
      <PasswordInput
        label={words.password}
        value={password}
        onChange={setPassword}
        error={problem || undefined}
        autoFocus
      />
    </Dialog>
  );
}
