// Shows a part that an extension draws: its element, or a frame. A part that fails ends with `onFailed`; what is around it
// goes on.

import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useStart } from "#session/start.ts";
import { elementWords } from "#words/elements.ts";
import { useWords } from "#words/language.ts";
import { createAdminApi, type Question } from "./admin-api.ts";
import { noteBusy } from "./busy.ts";
import css from "./ElementHost.module.css";
import { mountElement } from "./mount-element.ts";
import { mountFrame } from "./mount-frame.ts";
import type { ElementEvent, Mounted, Mounting } from "./mounting.ts";
import type { ElementPart } from "./part.ts";
import { reportFailure } from "./report.ts";

const ElementQuestions = lazy(() =>
  import("./ElementQuestions.tsx").then((part) => ({ default: part.ElementQuestions })),
);

export interface ElementHostProps {
  part: ElementPart;
  /** Set before the element is connected, and again when they change. */
  properties: Record<string, unknown>;
  /** Name of the group that the element is in. */
  label?: string;
  labelledBy?: string;
  describedBy?: string | undefined;
  /** In a cell of a table: no group of its own. */
  isInline?: boolean;
  onChange?: (value: unknown) => void;
  onInvalid?: (message: string) => void;
  onTitle?: (text: string) => void;
  onFailed: (error: unknown) => void;
}

export function ElementHost(props: ElementHostProps) {
  const { part, properties, label, labelledBy, describedBy, isInline = false } = props;
  const words = useWords(elementWords);
  const start = useStart();
  const navigate = useNavigate();
  const place = useRef<HTMLDivElement>(null);
  const mounted = useRef<Mounted>(undefined);
  const [isReady, setIsReady] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const latest = useRef({ props, start });
  latest.current = { props, start };
  const { user } = start;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new start of the same user is read when the element asks
  const api = useMemo(
    () =>
      createAdminApi(start, {
        go: (path) => void navigate({ to: path as never }),
        ask: (next) =>
          setQuestion((before) => {
            // One at a time: the one before is answered with no.
            if (before?.kind === "confirm") before.answer(false);
            if (before?.kind === "pick") before.answer(null);
            return next;
          }),
      }),
    [user.id, navigate],
  );

  // A value that did not change is not set again: elements may draw themselves on each.
  const known = useRef<Record<string, unknown>>({});
  useEffect(() => {
    const changed = Object.entries(properties).filter(([name, value]) => !isSame(known.current[name], value));
    known.current = properties;
    if (changed.length > 0) mounted.current?.set(Object.fromEntries(changed));
  });

  useEffect(() => {
    const container = place.current;
    if (!container) return;
    let hasEnded = false;
    const fail = (error: unknown) => {
      if (hasEnded) return;
      hasEnded = true;
      mounted.current?.remove();
      mounted.current = undefined;
      reportFailure(part, error);
      latest.current.props.onFailed(error);
    };
    const hear = (told: ElementEvent) => {
      const { onChange, onInvalid, onTitle } = latest.current.props;
      if (told.name === "cairn-change") onChange?.(told.detail?.value);
      if (told.name === "cairn-invalid") onInvalid?.(String(told.detail?.message ?? ""));
      if (told.name === "cairn-title") onTitle?.(String(told.detail?.text ?? "").slice(0, 200));
      if (told.name === "cairn-busy" && told.detail?.promise instanceof Promise) noteBusy(told.detail.promise);
    };
    const mounting: Mounting = {
      ...{ part, container, api, fail, hear, title: part.extensionName, start: () => latest.current.start },
      properties: () => latest.current.props.properties,
    };
    (part.frame ? mountFrame(mounting) : mountElement(mounting)).then(
      (made) => {
        if (hasEnded) return made.remove();
        mounted.current = made;
        known.current = latest.current.props.properties;
        made.set(known.current);
        setIsReady(true);
      },
      (error: unknown) => fail(error),
    );
    return () => {
      hasEnded = true;
      mounted.current?.remove();
      mounted.current = undefined;
      container.replaceChildren();
    };
  }, [part, api]);

  return (
    <>
      <div
        ref={place}
        className={isInline ? css.inline : css.host}
        {...(!isInline && {
          role: "group",
          "aria-label": label,
          "aria-labelledby": labelledBy,
          "aria-describedby": describedBy,
        })}
        aria-busy={!isReady}
      />
      {!isReady && !isInline && <p className={css.loading}>{words.loading}</p>}
      {question && (
        <Suspense fallback={null}>
          <ElementQuestions question={question} onDone={() => setQuestion(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function isSame(before: unknown, now: unknown): boolean {
  return Object.is(before, now) || JSON.stringify(before) === JSON.stringify(now);
}
