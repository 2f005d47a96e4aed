// One redirect: from where, to where, and of which kind.

import { type Redirect, type RedirectStatus, redirectStatuses } from "@contract/redirects.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { Problem } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Select } from "#ui/Select.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { siteWords } from "#words/site.ts";
import css from "./site.module.css";
import { saveRedirect } from "./site-calls.ts";

interface Props {
  /** Undefined: a new one. */
  redirect?: Redirect;
  onClose: () => void;
}

export function RedirectDialog({ redirect, onClose }: Props) {
  const words = useWords(siteWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const [source, setSource] = useState(redirect?.source ?? "");
  const [target, setTarget] = useState(redirect?.target ?? "");
  const [status, setStatus] = useState<RedirectStatus>(redirect?.status ?? 301);
  const isGone = status === 410;
  const saving = useMutation({
    mutationFn: () =>
      saveRedirect(redirect?.id, { source: source.trim(), target: isGone ? "" : target.trim(), status }),
    onSuccess: () => {
      onClose();
      toast.good(redirect ? words.saved : words.created);
      void client.invalidateQueries({ queryKey: ["site"] });
    },
  });
  const details = saving.error instanceof ApiError ? saving.error.details : {};
  const problemOf = (name: string) => details[name]?.join(". ");
  const isTold = ["source", "target", "status"].some((name) => details[name] !== undefined);
  return (
    <Dialog
      title={redirect ? words.editRedirect : words.newRedirect}
      onClose={onClose}
      onSubmit={() => !saving.isPending && saving.mutate()}
      isDirty={source !== (redirect?.source ?? "") || target !== (redirect?.target ?? "")}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button variant="primary" type="submit" isPending={saving.isPending}>
            {redirect ? common.save : words.create}
          </Button>
        </>
      )}
    >
      <div className={css.form}>
        {saving.error && !isTold && <Problem error={saving.error} />}
        <TextInput
          label={words.source}
          description={words.sourceHelp}
          value={source}
          onChange={setSource}
          error={problemOf("source")}
          autoComplete="off"
          isMono
          isRequired
          autoFocus
        />
        <Select
          label={words.kind}
          value={String(status)}
          onChange={(value) => setStatus(Number(value) as RedirectStatus)}
          options={redirectStatuses.map((one) => ({ value: String(one), label: words.statuses[one] }))}
          error={problemOf("status")}
        />
        {!isGone && (
          <TextInput
            label={words.targetLabel}
            description={words.targetHelp}
            value={target}
            onChange={setTarget}
            error={problemOf("target")}
            autoComplete="off"
            isMono
            isRequired
          />
        )}
      </div>
    </Dialog>
  );
}
