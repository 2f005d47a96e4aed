// The corner where messages appear. It is there before they are, so that screen readers notice them. Good news leave by themselves,
// but not while they are hovered, focused or out of sight; bad news stay.

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useWords } from "#words/language.ts";
import { uiWords } from "#words/ui.ts";
import { Button } from "./Button.tsx";
import { classes } from "./classes.ts";
import { Icon } from "./Icon.tsx";
import { IconButton } from "./IconButton.tsx";
import css from "./Toasts.module.css";
import { currentToasts, subscribeToToasts, type Toast, toast } from "./toast.ts";

const stay = 5_000;
/** Time enough to undo. */
const stayWithAction = 10_000;

export function Toasts({ label }: { label: string }) {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts);
  const [isHeld, setIsHeld] = useState(false);
  return (
    <section
      aria-label={label}
      className={css.corner}
      // Open dialogs leave it within reach.
      data-react-aria-top-layer="true"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      {toasts.map((shown) => (
        <Message key={shown.id} toast={shown} isHeld={isHeld && toasts.length > 0} />
      ))}
    </section>
  );
}

function Message({ toast: { id, tone, text, requestId, action }, isHeld }: { toast: Toast; isHeld: boolean }) {
  const words = useWords(uiWords);
  // The live region comes first and its text after it: only changes are announced.
  const [isReady, setIsReady] = useState(false);
  useEffect(() => setIsReady(true), []);
  const isVisible = useSyncExternalStore(subscribeToVisibility, () => !document.hidden);
  useEffect(() => {
    if (tone === "bad" || isHeld || !isVisible) return;
    const timer = setTimeout(() => toast.dismiss(id), action ? stayWithAction : stay);
    return () => clearTimeout(timer);
  }, [id, tone, action, isHeld, isVisible]);
  const live = { role: tone === "good" ? "status" : "alert", "aria-label": text };
  return (
    <div className={classes(css.toast, css[tone])}>
      <Icon of={tone === "good" ? CircleCheck : CircleAlert} size={20} className={css.icon} />
      <div {...live} className={css.message}>
        {isReady && (
          <>
            <div className={css.words}>
              <span>{text}</span>
              {requestId && <span className={css.request}>{words.requestId(requestId)}</span>}
            </div>
            {action && (
              <Button
                variant="quiet"
                className={css.action}
                onPress={() => {
                  toast.dismiss(id);
                  action.onPress();
                }}
              >
                {action.label}
              </Button>
            )}
          </>
        )}
      </div>
      <IconButton label={words.dismiss} icon={X} isSmall onPress={() => toast.dismiss(id)} />
    </div>
  );
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
