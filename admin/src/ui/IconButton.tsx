// A button of one icon; its label is its name and its tooltip.

import type { LucideIcon } from "lucide-react";
import { Button, type ButtonProps } from "./Button.tsx";
import { classes } from "./classes.ts";
import css from "./IconButton.module.css";

export interface IconButtonProps extends Omit<ButtonProps, "children" | "icon" | "endIcon"> {
  label: string;
  icon: LucideIcon;
  /** Fits into a line of text or a field: 24 px with a mouse. */
  isSmall?: boolean;
}

export function IconButton({ label, isSmall, variant = "quiet", className, ...rest }: IconButtonProps) {
  return (
    <Button
      data-tip={label}
      {...rest}
      variant={variant}
      aria-label={label}
      className={classes(css.square, isSmall && css.small, className)}
    />
  );
}
