// A new password: typed twice, then confirmed by the present one. It ends all sessions, so this one is begun again.

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { changeOwnRecord, type Proof } from "#session/account.ts";
import { signIn } from "#session/sign-in.ts";
import { useStart } from "#session/start.ts";
import { ConfirmPassword } from "#shell/ConfirmPassword.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { Part } from "./Part.tsx";

export function PasswordPart() {
  const words = useWords(profileWords);
  const { impersonator } = useStart();
  const [isOpen, setIsOpen] = useState(false);
  if (impersonator) return null;
  return (
    <Part
      title={words.passwordSection}
      text={words.passwordText}
      actions={<Button onPress={() => setIsOpen(true)}>{words.changePassword}</Button>}
    >
      {isOpen && <PasswordDialogs onClose={() => setIsOpen(false)} />}
    </Part>
  );
}

function PasswordDialogs({ onClose }: { onClose: () => void }) {
  const common = useWords(commonWords);
  const words = useWords(profileWords);
  const { user } = useStart();
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [problem, setProblem] = useState({ password: "", again: "" });
  const [isAsking, setIsAsking] = useState(false);

  const submit = () => {
    const found = {
      password: password === "" ? words.passwordMissing : "",
      again: password !== again ? words.passwordsDiffer : "",
    };
    setProblem(found);
    if (found.password === "" && found.again === "") setIsAsking(true);
  };
  const change = async (proof: Proof) => {
    try {
      await changeOwnRecord(user, { password }, proof);
    } catch (error) {
      const [refused] = (error instanceof ApiError && error.details.password) || [];
      if (refused === undefined) throw error;
      setIsAsking(false);
      return setProblem({ password: refused, again: "" });
    }
    await signIn({ email: user.email, password });
    toast.good(words.passwordChanged);
    onClose();
    return client.invalidateQueries({ queryKey: ["sessions"] });
  };

  if (isAsking) return <ConfirmPassword onConfirm={change} onClose={() => setIsAsking(false)} />;
  return (
    <Dialog
      title={words.changePassword}
      size="small"
      onClose={onClose}
      onSubmit={submit}
      isDirty={password !== "" || again !== ""}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button variant="primary" type="submit">
            {common.save}
          </Button>
        </>
      )}
    >
      <PasswordInput
        label={words.newPassword}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={problem.password || undefined}
        autoFocus
      />
      <PasswordInput
        label={words.confirmPassword}
        autoComplete="new-password"
        value={again}
        onChange={setAgain}
        error={problem.again || undefined}
      />
    </Dialog>
  );
}
