// The layer that menus, lists and popovers open in.

import type { ReactNode } from "react";
import { Popover as AriaPopover, type PopoverProps } from "react-aria-components/Popover";
import { classes } from "./classes.ts";
import css from "./Floating.module.css";

interface Props extends Omit<PopoverProps, "className" | "style" | "children"> {
  className?: string;
  children: ReactNode;
}

const layer = { zIndex: "var(--z-popover)" };

export function Floating({ className, children, ...rest }: Props) {
  return (
    <AriaPopover offset={4} containerPadding={8} {...rest} className={classes(css.layer, className)} style={layer}>
      {children}
    </AriaPopover>
  );
}
