// While an administrator acts as another user: who that is, and the way back.

import { UserCheck } from "lucide-react";
import { useState } from "react";
import { stopImpersonating } from "#session/sign-in.ts";
import { useStart } from "#session/start.ts";
import { Button } from "#ui/Button.tsx";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { errorText } from "./LoadState.tsx";
import styles from "./Shell.module.css";

export function ActingBar() {
  const words = { ...useWords(commonWords), ...useWords(shellWords) };
  const { user } = useStart();
  const [isPending, setIsPending] = useState(false);
  const stop = () => {
    setIsPending(true);
    stopImpersonating(user.id).catch((error: unknown) => {
      setIsPending(false);
      toast.bad(errorText(error, words).text);
    });
  };
  return (
    <section className={classes(styles.notice, styles.acting)} aria-label={words.acting}>
      <Icon of={UserCheck} size={20} />
      <p>{words.actingAs(user.name || user.email)}</p>
      <Button isPending={isPending} onPress={stop}>
        {words.stop}
      </Button>
    </section>
  );
}
