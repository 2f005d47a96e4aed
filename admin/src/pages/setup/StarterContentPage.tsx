// The second step: an empty site, or a small one to look at.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { startQuery } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { toast } from "#ui/toast.ts";
import { useWords } from "#words/language.ts";
import { setupWords } from "#words/setup.ts";
import styles from "./Setup.module.css";
import { SetupFrame } from "./SetupFrame.tsx";

type Choice = "empty" | "demo";

export function StarterContentPage() {
  const words = useWords(setupWords);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [choice, setChoice] = useState<Choice>("empty");
  const go = () => navigate({ to: "/setup/server-config" });
  const demo = useMutation({
    mutationFn: () => ask(routes.importJumpstart, { query: { demo: true } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: startQuery.queryKey });
      toast.good(words.demoLoaded);
      await go();
    },
  });
  return (
    <SetupFrame
      step="content"
      intro={words.contentIntro}
      footer={
        <Button
          variant="primary"
          isPending={demo.isPending}
          onPress={() => (choice === "demo" ? demo.mutate() : void go())}
        >
          {words.continue}
        </Button>
      }
    >
      <fieldset className={styles.choices} aria-label={words.content}>
        <ChoiceCard {...{ choice, setChoice }} value="empty" name={words.startEmpty} detail={words.startEmptyDetail} />
        <ChoiceCard {...{ choice, setChoice }} value="demo" name={words.loadDemo} detail={words.loadDemoDetail} />
      </fieldset>
      {demo.isPending && <p role="status">{words.loadingDemo}</p>}
      {demo.error && <Failed error={demo.error} onRetry={() => demo.mutate()} />}
    </SetupFrame>
  );
}

interface ChoiceCardProps {
  value: Choice;
  name: string;
  detail: string;
  choice: Choice;
  setChoice(choice: Choice): void;
}

function ChoiceCard({ value, name, detail, choice, setChoice }: ChoiceCardProps) {
  const id = useId();
  return (
    <label className={styles.choice}>
      <input
        type="radio"
        name="starter"
        value={value}
        checked={choice === value}
        onChange={() => setChoice(value)}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-detail`}
      />
      <span id={`${id}-name`} className={styles.choiceName}>
        {name}
      </span>
      <span id={`${id}-detail`} className={styles.choiceDetail}>
        {detail}
      </span>
    </label>
  );
}
