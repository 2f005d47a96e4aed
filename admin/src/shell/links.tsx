// Links to pages of the admin: as text, and as a button.

import { Link, type LinkProps } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { ButtonContent, type ButtonVariant, buttonClass } from "#ui/Button.tsx";
import type { AdminPath, Search } from "./paths.ts";

export interface Target {
  to: AdminPath;
  params?: Record<string, string>;
  search?: Search;
}

interface TextLinkProps extends Target {
  children: ReactNode;
  className?: string | undefined;
  "aria-label"?: string | undefined;
  "aria-describedby"?: string | undefined;
  "aria-current"?: "page" | undefined;
  "data-tip"?: string | undefined;
  id?: string | undefined;
  tabIndex?: number | undefined;
  onClick?: (() => void) | undefined;
  /** Opens beside the page, which stays as it is: for links in dialogs over unsaved work. */
  isBeside?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

/** A page is the current one only at its own address; the sidebar knows more. */
const exactly = { exact: true, includeSearch: true };

/** What the router's own link takes: it knows more about paths than a list of entries can. */
export function linkProps({ to, params, search }: Target): LinkProps {
  return { to, params: params ?? {}, search: search ?? {} } as LinkProps;
}

export function TextLink({ to, params, search, isBeside, children, ...props }: TextLinkProps) {
  return (
    <Link
      {...linkProps({ to, ...(params && { params }), ...(search && { search }) })}
      activeOptions={exactly}
      {...(isBeside && { target: "_blank", rel: "noopener" })}
      {...props}
    >
      {children}
    </Link>
  );
}

export interface LinkButtonProps extends TextLinkProps {
  variant?: ButtonVariant;
  icon?: LucideIcon;
}

export function LinkButton({ variant = "plain", icon, children, className, ...props }: LinkButtonProps) {
  return (
    <TextLink {...props} className={buttonClass(variant, className)}>
      <ButtonContent {...(icon && { icon })}>{children}</ButtonContent>
    </TextLink>
  );
}
