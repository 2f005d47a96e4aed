// Who may open a file or a depot: members of the collection's groups, and those who know its password. Stored at once.

import type { FileChoice } from "@contract/admin.ts";
import { useQuery } from "@tanstack/react-query";
import { LockKeyhole, LockKeyholeOpen } from "lucide-react";
import { useState } from "react";
import { DialogButtons, DialogError } from "#files/DialogButtons.tsx";
import { changeProtection, protectionQuery, type StoredObject } from "#files/file-calls.ts";
import { deedText, useDeed } from "#files/use-deed.ts";
import { queryClient } from "#session/query-client.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { Icon } from "#ui/Icon.tsx";
import { PasswordInput } from "#ui/PasswordInput.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { depotWords } from "#words/depot.ts";
import { useWords } from "#words/language.ts";
import css from "./protection.module.css";

interface Props {
  name: string;
  choice: FileChoice;
  /** Files of a depot have its flag. */
  hasFlag: boolean;
  onStored: (stored: StoredObject) => void;
  onClose: () => void;
}

export function ProtectionDialog({ name, choice, hasFlag, onStored, onClose }: Props) {
  const words = useWords(depotWords);
  const common = useWords(commonWords);
  const { data, error: failure } = useQuery(protectionQuery(choice));
  const [flag, setFlag] = useState<boolean>();
  const [password, setPassword] = useState("");
  const { isPending, error, run } = useDeed();
  const isFlagged = flag ?? data?.protected ?? false;
  const isFlagChanged = data !== undefined && isFlagged !== data.protected;
  const isDirty = password !== "" || isFlagChanged;
  const problem = /\s/.test(password) ? words.spaces : undefined;

  const store = (change: { protected?: boolean; password?: string | null }) =>
    run(async () => {
      onStored(await changeProtection({ ...choice, ...change }));
      await queryClient.invalidateQueries({ queryKey: ["file-protection", choice.collection, choice.id] });
      toast.good(words.protectionSaved);
    });
  const apply = async () => {
    if (problem) return;
    if (!isDirty) return onClose();
    await run(async () => {
      onStored(
        await changeProtection({
          ...choice,
          ...(isFlagChanged && { protected: isFlagged }),
          ...(password !== "" && { password }),
        }),
      );
      void queryClient.invalidateQueries({ queryKey: ["file-protection", choice.collection, choice.id] });
      toast.good(words.protectionSaved);
      onClose();
    });
  };
  return (
    <Dialog
      title={words.protectionTitle(name)}
      onClose={onClose}
      onSubmit={() => void apply()}
      isDirty={isDirty && !isPending}
      footer={(close) => (
        <DialogButtons label={words.apply} isPending={isPending} isDisabled={!data} onCancel={close} />
      )}
    >
      <div className={css.stack}>
        {!data && !failure && <Skeleton height="6rem" />}
        {data && (
          <>
            {hasFlag && (
              <Checkbox
                label={words.membersOnly(data.groups)}
                description={data.groups.length === 0 ? words.noGroups : undefined}
                isSelected={isFlagged}
                onChange={setFlag}
              />
            )}
            <div className={css.state}>
              <Icon of={data.hasPassword ? LockKeyhole : LockKeyholeOpen} />
              <span>
                {data.hasPassword
                  ? words.hasPassword
                  : data.lockedBy === ""
                    ? words.hasNoPassword
                    : words.lockedBy(data.lockedBy)}
              </span>
              {data.hasPassword && (
                <Button onPress={() => void store({ password: null })} isDisabled={isPending}>
                  {words.removePassword}
                </Button>
              )}
            </div>
            <PasswordInput
              label={words.newPassword}
              description={words.newPasswordHelp}
              value={password}
              onChange={setPassword}
              error={problem}
              autoComplete="new-password"
            />
          </>
        )}
        <DialogError>{error || (failure && deedText(failure, common))}</DialogError>
      </div>
    </Dialog>
  );
}
