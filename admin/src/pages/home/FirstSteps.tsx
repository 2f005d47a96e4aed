// An empty site: the way to its first page. Each step ticks itself.

import { Circle, CircleCheck } from "lucide-react";
import { type ReactNode, useId } from "react";
import { canIn, useStart } from "#session/start.ts";
import { LinkButton } from "#shell/links.tsx";
import { contentCollections } from "#shell/sidebar/categories.ts";
import { buttonClass } from "#ui/Button.tsx";
import { CopyButton } from "#ui/CopyButton.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Slab } from "#ui/Slab.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { commonWords } from "#words/common.ts";
import { homeWords } from "#words/home.ts";
import { useWords } from "#words/language.ts";
import styles from "./HomePage.module.css";

interface Step {
  id: string;
  title: string;
  text: string;
  isDone: boolean;
  action?: ReactNode;
}

export function FirstSteps() {
  const words = useWords(homeWords);
  const steps = useSteps();
  const id = useId();
  return (
    <Slab as="section" aria-labelledby={id} className={styles.part}>
      <h2 id={id}>{words.firstSteps}</h2>
      <p>{words.firstStepsText}</p>
      <ol className={styles.steps} aria-labelledby={id}>
        {steps.map(({ id: key, title, text, isDone, action }) => (
          <li key={key} className={isDone ? styles.done : styles.step}>
            <Icon of={isDone ? CircleCheck : Circle} size={20} />
            <div>
              <h3>
                {title}
                <VisuallyHidden> ({isDone ? words.done : words.open})</VisuallyHidden>
              </h3>
              <p>{text}</p>
            </div>
            {!isDone && action}
          </li>
        ))}
      </ol>
    </Slab>
  );
}

/** What the caller may not do is not offered. */
function useSteps(): Step[] {
  const { steps, object } = useWords(homeWords);
  const common = useWords(commonWords);
  const start = useStart();
  const can = canIn(start);
  const collections = contentCollections(start.collections);
  const first = collections.find(({ operations }) => operations.includes("create"));
  const isWritten = collections.some(({ count }) => count > 0);
  const mcp = `${start.site.url.replace(/\/$/, "")}/mcp`;
  return [
    {
      ...step("describe", collections.length > 0),
      action: start.can.admin && (
        <a className={buttonClass("plain")} href="/setup/content">
          {steps.describe.action}
        </a>
      ),
    },
    {
      ...step("collection", collections.length > 0),
      action: can("create", "collections") && (
        <LinkButton variant="primary" to="/admin/collections/-new">
          {steps.collection.action}
        </LinkButton>
      ),
    },
    {
      ...step("object", isWritten),
      action: first && (
        <LinkButton variant="primary" to="/admin/collections/$collection/-new" params={{ collection: first.id }}>
          {steps.object.action(first.labelSingular || object)}
        </LinkButton>
      ),
    },
    {
      ...step("read", start.steps?.hasKey ?? false),
      action: start.can.docs && (
        <a className={buttonClass("plain")} href="/api/docs" target="_blank" rel="noreferrer">
          {steps.read.action}
        </a>
      ),
    },
    ...(start.site.mcp
      ? [
          {
            ...step("connect", start.steps?.hasAgent ?? false),
            action: (
              <div>
                <CopyButton text={mcp} label={steps.connect.address} copiedLabel={common.copied} />
              </div>
            ),
          },
        ]
      : []),
  ];

  function step(id: keyof typeof steps, isDone: boolean): Step {
    return { id, title: steps[id].title, text: steps[id].text, isDone };
  }
}
