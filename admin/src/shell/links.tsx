// Links to pages of the admin: as text, and as a button.

import { Link, type LinkProps } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./links.module.css";
import type { AdminPath, Search } from "./paths.ts";

export interface Target {
  to: AdminPath;
  params?: Record<string, string>;
  search?: Search;
}

interface TextLinkProps extends Target {
  children: ReactNode;
  className?: string | undefined;
  "aria-label"?: string;
  "aria-current"?: "page" | undefined;
  id?: string;
  tabIndex?: number;
  /** In a new tab; the name says so to those who cannot see it. */
  onClick?: () => void;
}

/** What the router's own link takes: it knows more about paths than a list of entries can. */
export function linkProps({ to, params, search }: Target): LinkProps {
  return { to, params: params ?? {}, search: search ?? {} } as LinkProps;
}

export function TextLink({ to, params, search, children, ...props }: TextLinkProps) {
  return (
    <Link {...linkProps({ to, ...(params && { params }), ...(search && { search }) })} {...props}>
      {children}
    </Link>
  );
}

export interface LinkButtonProps extends TextLinkProps {
  variant?: "primary" | "plain" | "quiet";
  icon?: LucideIcon;
}

export function LinkButton({ variant = "plain", icon: Icon, children, ...props }: LinkButtonProps) {
  return (
    <TextLink {...props} className={`${styles.button} ${styles[variant]}`}>
      {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden />}
      {children}
    </TextLink>
  );
}
