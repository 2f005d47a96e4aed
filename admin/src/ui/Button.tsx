// The button, and its look for links that act like one.

import type { LucideIcon } from "lucide-react";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import css from "./Button.module.css";
import { classes } from "./classes.ts";
import { Icon } from "./Icon.tsx";
import { Spinner } from "./Spinner.tsx";
import "./tips.ts";

export type ButtonVariant = "primary" | "plain" | "quiet" | "danger";

export interface ButtonProps extends Omit<ComponentProps<"button">, "disabled"> {
  variant?: ButtonVariant;
  icon?: LucideIcon;
  /** At the end: an arrow that says a menu opens. */
  endIcon?: LucideIcon;
  /** The work it began goes on: it keeps its place and its focus, and presses do nothing. */
  isPending?: boolean;
  isDisabled?: boolean;
  onPress?: () => void;
  children?: ReactNode;
}

export function buttonClass(variant: ButtonVariant = "plain", className?: string): string {
  return classes(css.button, css[variant], className);
}

export function Button({
  variant = "plain",
  icon,
  endIcon,
  isPending = false,
  isDisabled = false,
  onPress,
  onClick,
  type = "button",
  className,
  children,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isPending) {
      event.preventDefault();
      return;
    }
    onClick?.(event);
    onPress?.();
  };
  return (
    <button
      {...rest}
      type={type}
      data-autofocus={rest.autoFocus || undefined}
      className={buttonClass(variant, className)}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      onClick={press}
    >
      <ButtonContent icon={icon} endIcon={endIcon} isPending={isPending}>
        {children}
      </ButtonContent>
    </button>
  );
}

type ContentProps = Pick<ButtonProps, "icon" | "endIcon" | "isPending" | "children">;

/** What stands inside; links with the button's look use it too. */
export function ButtonContent({ icon, endIcon, isPending, children }: ContentProps) {
  return (
    <>
      {isPending ? <Spinner /> : icon && <Icon of={icon} />}
      {children !== undefined && <span className={css.text}>{children}</span>}
      {endIcon && <Icon of={endIcon} className={css.end} />}
    </>
  );
}
