// The review before an extension runs: where its code runs, what it adds and may do, how large it is. Approving takes a session
// with a recent password.

import type { ExtensionDetails } from "@contract/extensions.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { Failed, Problem } from "#shell/LoadState.tsx";
import { useAttempt } from "#shell/use-attempt.ts";
import { Button } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { classes } from "#ui/classes.ts";
import { Dialog } from "#ui/Dialog.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { extensionsWords } from "#words/extensions.ts";
import { formatBytes } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { Capabilities } from "./Capabilities.tsx";
import { enable, extensionQuery, refreshExtensions } from "./extension-calls.ts";
import css from "./extensions.module.css";

interface Props {
  id: string;
  name: string;
  onClose: () => void;
}

export function ReviewDialog({ id, name, onClose }: Props) {
  const words = useWords(extensionsWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  // What is shown is what is approved: it does not change under the eyes of the reader.
  const opened = useQuery({
    ...extensionQuery(id),
    queryKey: ["extension-review", id],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const { attempt, error: problem } = useAttempt();
  const [switches, setSwitches] = useState<Readonly<Record<string, boolean>>>({});
  const [isPending, setIsPending] = useState(false);
  const isOutdated = problem instanceof ApiError && problem.status === 412;

  const approve = ({ fingerprint }: ExtensionDetails) =>
    attempt(async () => {
      setIsPending(true);
      try {
        await enable(id, { approve: fingerprint, switches });
        toast.good(words.approved(name));
        onClose();
      } catch (error) {
        if (error instanceof ApiError && error.status === 412) await opened.refetch();
        throw error;
      } finally {
        setIsPending(false);
        await refreshExtensions(queries);
      }
    });
  return (
    <Dialog
      title={words.reviewTitle(name)}
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button
            variant="primary"
            isDisabled={!opened.data}
            isPending={isPending}
            onPress={() => opened.data && approve(opened.data)}
          >
            {words.approve}
          </Button>
        </>
      }
    >
      {opened.data ? (
        <Review
          details={opened.data}
          switches={switches}
          onSwitch={(capability, isOn) => setSwitches((before) => ({ ...before, [capability]: isOn }))}
        />
      ) : opened.isError ? (
        <Failed error={opened.error} onRetry={() => void opened.refetch()} />
      ) : (
        <Skeleton height="16rem" />
      )}
      {isOutdated ? (
        <div role="alert">
          <Notice tone="warn">{words.changed}</Notice>
        </div>
      ) : (
        problem !== undefined && <Problem error={problem} />
      )}
    </Dialog>
  );
}

interface ReviewProps {
  details: ExtensionDetails;
  switches: Readonly<Record<string, boolean>>;
  onSwitch: (capability: string, isOn: boolean) => void;
}

function Review({ details, switches, onSwitch }: ReviewProps) {
  const words = useWords(extensionsWords);
  const { runtime, capabilities, approved, difference, fingerprint, reviewNote, code } = details;
  const isUpgrade = approved !== null && approved !== fingerprint;
  const runsInAdmin = capabilities.some(({ kind }) => kind === "fields" || kind === "adminPages");
  return (
    <div className={css.stack}>
      <div className={classes(css.runtime, runtime === "node" && css.trusted)}>
        <Icon of={runtime === "node" ? ShieldAlert : ShieldCheck} size={20} />
        <p>
          <strong>{words.runtimeNames[runtime]}.</strong> {words.runtimes[runtime]}{" "}
          {runtime === "node" && runsInAdmin && words.inAdmin}
        </p>
      </div>
      {isUpgrade && (
        <Notice tone="info" title={words.differenceTitle}>
          {difference.length > 0 ? words.differenceText(difference.length) : words.newVersion}
        </Notice>
      )}
      {reviewNote !== null && (
        <section className={css.part}>
          <h3 className={css.heading}>{words.note}</h3>
          <blockquote className={css.note}>{reviewNote}</blockquote>
        </section>
      )}
      <Capabilities
        level={3}
        capabilities={capabilities}
        {...(isUpgrade && { added: new Set(difference.map(({ name }) => name)) })}
        isOn={({ name, on }) => switches[name] ?? on}
        onSwitch={({ name }, isOn) => onSwitch(name, isOn)}
      />
      <CodeFacts code={code} />
    </div>
  );
}

export function CodeFacts({ code }: Pick<ExtensionDetails, "code">) {
  const words = useWords(extensionsWords);
  const common = useWords(commonWords);
  return (
    <dl className={css.facts}>
      <div>
        <dt>{words.code}</dt>
        <dd>{words.codeSize(code.files, formatBytes(code.bytes))}</dd>
      </div>
      {code.hash !== "" && (
        <div>
          <dt>{words.hash}</dt>
          <dd className={css.hash}>
            <code>{code.hash}</code>
            <CopyButton text={code.hash} label={words.copyHash} copiedLabel={common.copied} />
          </dd>
        </div>
      )}
    </dl>
  );
}
