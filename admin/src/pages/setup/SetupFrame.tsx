// The frame of the setup's steps: the mark, where one is, one heading, one way on. It stands without the shell.

import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useStart } from "#session/start.ts";
import { ConfirmPower } from "#shell/ConfirmPower.tsx";
import { Button } from "#ui/Button.tsx";
import { Mark } from "#ui/Mark.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { setupWords } from "#words/setup.ts";
import styles from "./Setup.module.css";

export type Step = "environment" | "content" | "serverConfig" | "ready";
const steps: readonly Step[] = ["environment", "content", "serverConfig", "ready"];

interface SetupFrameProps {
  step: Step;
  intro: string;
  isBusy?: boolean;
  children: ReactNode;
  footer: ReactNode;
}

export function SetupFrame({ step, intro, isBusy = false, children, footer }: SetupFrameProps) {
  const words = useWords(setupWords);
  const { site } = useStart();
  const heading = useRef<HTMLHeadingElement>(null);
  const title = words[step];
  useEffect(() => {
    document.title = `${title} · ${site.name}`;
    heading.current?.focus();
  }, [title, site.name]);
  return (
    <div className={styles.ground}>
      <header className={styles.header}>
        <Mark />
        <span className={styles.site}>{site.name}</span>
        <ol className={styles.steps} aria-label={words.steps}>
          {steps.map((name, at) => (
            <li key={name} aria-current={name === step ? "step" : undefined}>
              <span className={styles.number} aria-hidden="true">
                {at + 1}
              </span>
              <span className={styles.stepName}>{words[name]}</span>
            </li>
          ))}
        </ol>
      </header>
      <main id="main" aria-busy={isBusy}>
        <Slab>
          <div className={styles.body}>
            <p className={styles.place}>{words.stepOf(steps.indexOf(step) + 1, steps.length)}</p>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            <p className={styles.intro}>{intro}</p>
            {children}
            <footer className={styles.footer}>{footer}</footer>
          </div>
        </Slab>
      </main>
      <ConfirmPower />
    </div>
  );
}

export function ContinueButton({ to }: { to: "/setup/content" | "/setup/complete" | "/admin" }) {
  const words = useWords(setupWords);
  const navigate = useNavigate();
  return (
    <Button variant="primary" onPress={() => void navigate({ to })}>
      {words.continue}
    </Button>
  );
}
