// Every upload of this tab: how far it is, and what can be done about it. It stays across pages and leaves by itself when all went
// well. Screen readers hear that files begin and end, not each percent.

import { ChevronDown, ChevronUp, CircleAlert, CircleCheck, Pause, Play, RotateCcw, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Progress } from "#ui/Progress.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";
import { isActive, type Upload } from "./queue.ts";
import css from "./UploadsPanel.module.css";
import { cancelUpload, clearUploads, pauseUpload, retryUpload, useUploads } from "./uploads.ts";

/** So long the panel says that all went well. */
const goodbye = 6_000;

export function UploadsPanel() {
  const words = useWords(fileWords);
  const uploads = useUploads();
  const [isOpen, setIsOpen] = useState(true);
  const [isHeld, setIsHeld] = useState(false);
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => takeCorner(panel.current), []);
  const active = uploads.filter(isActive).length;
  const bad = uploads.filter(({ state }) => state === "failed" || state === "refused").length;
  const isAllDone = uploads.every(({ state }) => state === "done");
  const isRunning = uploads.some(({ state }) => state === "sending" || state === "queued");
  const title = isRunning
    ? words.running(active)
    : active > 0
      ? words.toSend(active)
      : bad > 0
        ? words.notSent(bad)
        : words.allDone(uploads.length);

  useEffect(() => {
    if (!isAllDone || isHeld) return;
    const timer = setTimeout(clearUploads, goodbye);
    return () => clearTimeout(timer);
  }, [isAllDone, isHeld]);

  return (
    <section
      ref={panel}
      aria-label={words.uploads}
      className={css.panel}
      data-react-aria-top-layer="true"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <div className={css.head}>
        <Icon
          of={bad > 0 ? CircleAlert : CircleCheck}
          className={classes(css.mark, bad > 0 ? css.bad : isAllDone ? css.good : css.hidden)}
        />
        <h2 className={css.title}>{title}</h2>
        <IconButton
          isSmall
          icon={isOpen ? ChevronDown : ChevronUp}
          label={isOpen ? words.collapse : words.expand}
          aria-expanded={isOpen}
          aria-controls={id}
          onPress={() => setIsOpen(!isOpen)}
        />
        {active === 0 && <IconButton isSmall icon={X} label={words.clear} onPress={clearAll} />}
      </div>
      <ul id={id} className={css.list} hidden={!isOpen}>
        {uploads.map((upload) => (
          <Entry key={upload.id} upload={upload} />
        ))}
      </ul>
      <News uploads={uploads} />
    </section>
  );

  function clearAll(): void {
    for (const upload of uploads) if (!isActive(upload)) cancelUpload(upload.id);
  }
}

/** Messages appear above the panel. */
function takeCorner(panel: HTMLElement | null): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() =>
    style.setProperty("--corner-taken", `${(panel?.offsetHeight ?? 0) + 12}px`),
  );
  if (panel) observer.observe(panel);
  return () => {
    observer.disconnect();
    style.removeProperty("--corner-taken");
  };
}

function Entry({ upload }: { upload: Upload }) {
  const words = useWords(fileWords);
  const { id, name, size, sent, state, request } = upload;
  const isBad = state === "failed" || state === "refused";
  const isOver = state === "done" || isBad;
  return (
    <li aria-label={name} className={css.entry}>
      <div className={css.line}>
        <span className={css.name} title={name}>
          {name}
        </span>
        <span className={css.buttons}>
          {(state === "sending" || state === "queued" || state === "offline") && size > 0 && (
            <IconButton isSmall icon={Pause} label={words.pause(name)} onPress={() => pauseUpload(id)} />
          )}
          {state === "paused" && (
            <IconButton isSmall icon={Play} label={words.resume(name)} onPress={() => retryUpload(id)} />
          )}
          {isBad && <IconButton isSmall icon={RotateCcw} label={words.retry(name)} onPress={() => retryUpload(id)} />}
          {state === "done" ? (
            <Icon of={CircleCheck} className={css.good} />
          ) : (
            <IconButton isSmall icon={X} label={words.cancel(name)} onPress={() => cancelUpload(id)} />
          )}
        </span>
      </div>
      {!isOver && state !== "waiting" && (
        <Progress
          label={words.progressOf(name)}
          isLabelHidden
          value={size === 0 || (state === "sending" && sent >= size) ? undefined : sent}
          max={size}
        />
      )}
      <p className={classes(css.detail, isBad && css.bad)}>
        <span>{words.goesTo(request.label, request.target.object ?? "")}</span>
        <span>{detailOf(upload, words)}</span>
      </p>
    </li>
  );
}

function detailOf(upload: Upload, words: (typeof fileWords)["en"]): string {
  const { state, size, sent, speed, problem, isResumed } = upload;
  if (state === "failed" || state === "refused") return problem === "" ? words.unreachable : problem;
  if (state !== "sending") return words[state === "cancelled" ? "done" : state];
  if (size === 0) return words.fetching;
  if (sent >= size) return words.storing;
  if (isResumed && speed === 0) return words.resumed;
  return [words.progress(sent, size), ...(speed > 0 ? [words.speed(speed)] : [])].join(" · ");
}

/** Spoken, not shown. */
function News({ uploads }: { uploads: readonly Upload[] }) {
  const words = useWords(fileWords);
  const [news, setNews] = useState("");
  const known = useRef(new Map<string, Upload["state"]>());
  useEffect(() => {
    const texts: string[] = [];
    for (const { id, name, state } of uploads) {
      const before = known.current.get(id);
      if (before === state) continue;
      known.current.set(id, state);
      if (before === undefined && isActive({ state })) texts.push(words.began(name));
      else if (state === "done") texts.push(words.ended(name));
      else if (state === "failed" || state === "refused") texts.push(words.stopped(name));
    }
    if (texts.length > 0) setNews(texts.length > 3 ? `${texts.slice(0, 3).join(". ")} …` : texts.join(". "));
  }, [uploads, words]);
  return (
    <VisuallyHidden>
      <span role="status">{news}</span>
    </VisuallyHidden>
  );
}
