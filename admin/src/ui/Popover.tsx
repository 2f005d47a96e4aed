// A small dialog beside the button that opens it. A click outside and Esc close it; focus returns to the button.

import { type ReactElement, type ReactNode, use, useId } from "react";
import { OverlayTriggerStateContext } from "react-aria-components/Dialog";
import { DialogTrigger, Pressable } from "react-aria-components/Popover";
import { Floating } from "./Floating.tsx";
import css from "./Popover.module.css";

export interface PopoverProps {
  /** Names the dialog, and is its heading. */
  title: string;
  isTitleHidden?: boolean;
  /** A `Button` or `IconButton`. */
  button: ReactElement;
  children: ReactNode | ((close: () => void) => ReactNode);
  placement?: "bottom start" | "bottom end" | "top start" | "top end";
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

export function Popover({ title, isTitleHidden, button, children, placement = "bottom start", ...open }: PopoverProps) {
  const id = useId();
  return (
    <DialogTrigger {...open}>
      <Pressable>{button as ReactElement<object, string>}</Pressable>
      <Floating
        placement={placement}
        aria-label={isTitleHidden ? title : undefined}
        aria-labelledby={isTitleHidden ? "" : id}
      >
        <div className={css.inside}>
          {!isTitleHidden && (
            <h2 id={id} className={css.title}>
              {title}
            </h2>
          )}
          <Content>{children}</Content>
        </div>
      </Floating>
    </DialogTrigger>
  );
}

function Content({ children }: Pick<PopoverProps, "children">) {
  const state = use(OverlayTriggerStateContext);
  return typeof children === "function" ? children(() => state?.close()) : children;
}
