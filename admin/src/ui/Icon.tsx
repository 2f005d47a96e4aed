// A drawn icon in the one stroke of the house. It says nothing to screen readers: the words beside it do.

import type { LucideIcon } from "lucide-react";

interface Props {
  of: LucideIcon;
  size?: 16 | 20;
  className?: string;
}

export function Icon({ of: Drawing, size = 16, className }: Props) {
  return <Drawing size={size} strokeWidth={1.75} className={className} aria-hidden focusable={false} />;
}
