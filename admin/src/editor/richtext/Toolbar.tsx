// The buttons above a rich text: one tab stop, arrows between them, Esc back to the text.

import type { Editor } from "@tiptap/core";
import { Fragment, type KeyboardEvent, useLayoutEffect, useRef } from "react";
import { classes } from "#ui/classes.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { useWords } from "#words/language.ts";
import { richtextWords } from "#words/richtext.ts";
import { buttonsOf } from "./buttons.ts";
import css from "./RichText.module.css";
import type { ButtonName } from "./toolbar-config.ts";
import type { ToolbarButton, ToolbarProps } from "./toolbar-props.ts";

export function Toolbar(props: ToolbarProps) {
  const { label, controls, editor, settings, isCodeView, isDisabled, onLeave } = props;
  const words = useWords(richtextWords);
  const bar = useRef<HTMLDivElement>(null);
  const current = useRef(0);

  // One tab stop. What React renders has none of its own, so this holds after every render.
  useLayoutEffect(() => {
    const buttons = buttonsIn(bar.current);
    const at =
      buttons[current.current]?.disabled === false ? current.current : buttons.findIndex(({ disabled }) => !disabled);
    setStop(buttons, at);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    // A menu lies elsewhere in the page.
    if (!bar.current?.contains(event.target as Element)) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      onLeave();
      return;
    }
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Number.MAX_SAFE_INTEGER, End: Number.MAX_SAFE_INTEGER }[
      event.key
    ];
    const buttons = buttonsIn(bar.current).filter(({ disabled }) => !disabled);
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === "rtl" && event.key.startsWith("Arrow");
    const next = at + (isRightToLeft ? -step : step);
    const target =
      Math.abs(step) > 1 ? Math.max(0, Math.min(buttons.length - 1, next)) : (next + buttons.length) % buttons.length;
    buttons[target]?.focus();
  };

  const known = buttonsOf(props, words);
  const shown = settings.groups.map((group) => group.filter((name) => known[name])).filter((group) => group.length > 0);
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={words.toolbar(label)}
      aria-controls={controls}
      className={css.toolbar}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const buttons = buttonsIn(bar.current);
        const at = buttons.indexOf(target as Element as HTMLButtonElement);
        if (at < 0) return;
        current.current = at;
        setStop(buttons, at);
      }}
      // The text keeps its selection.
      onMouseDown={(event) => event.preventDefault()}
    >
      {shown.map((group, at) => (
        <Fragment key={group.join(" ")}>
          {at > 0 && <span className={css.rule} aria-hidden="true" />}
          <span className={css.group}>
            {group.map((name) => {
              const isUsable = !isDisabled && (!isCodeView || name === "codeView" || name === "fullscreen");
              return (
                <BarButton
                  key={name}
                  name={name}
                  of={known[name] as ToolbarButton}
                  isUsable={isUsable}
                  editor={editor}
                />
              );
            })}
          </span>
        </Fragment>
      ))}
    </div>
  );
}

interface BarButtonProps {
  name: ButtonName;
  of: ToolbarButton;
  isUsable: boolean;
  editor: Editor;
}

function BarButton({ name, of, isUsable, editor }: BarButtonProps) {
  const { label, icon, isOn, shortcut, items, run } = of;
  const look = {
    label,
    icon,
    className: classes(css.button, isOn && css.on),
    isDisabled: !isUsable || of.isDisabled === true,
    "data-button": name,
    "data-tip": shortcut ? `${label} (${shortcut})` : label,
  };
  if (items) return <Menu button={<IconButton {...look} />} label={label} items={items} />;
  return (
    <IconButton
      {...look}
      aria-pressed={isOn}
      onPress={() => {
        const isByKeys = document.activeElement?.closest("[role=toolbar]") != null;
        run?.();
        if (!isByKeys && name !== "codeView" && !document.querySelector("[role=dialog]")) editor.commands.focus();
      }}
    />
  );
}

function setStop(buttons: readonly HTMLButtonElement[], at: number): void {
  for (const [index, button] of buttons.entries()) {
    if (index === at) button.removeAttribute("tabindex");
    else button.tabIndex = -1;
  }
}

function buttonsIn(bar: HTMLElement | null): HTMLButtonElement[] {
  return [...(bar?.querySelectorAll("button") ?? [])];
}
