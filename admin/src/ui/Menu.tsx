// A button that opens a menu of actions, links and choices.

import { Check, ChevronDown, type LucideIcon } from "lucide-react";
import { isValidElement, type ReactElement, type ReactNode } from "react";
import {
  MenuItem as AriaItem,
  Menu as AriaMenu,
  MenuSection as AriaSection,
  Header,
  MenuTrigger,
  Pressable,
} from "react-aria-components/Menu";
import { Button, type ButtonVariant } from "./Button.tsx";
import choices from "./choices.module.css";
import { classes } from "./classes.ts";
import { Floating } from "./Floating.tsx";
import { Icon } from "./Icon.tsx";
import { IconButton } from "./IconButton.tsx";
import { Kbd } from "./Kbd.tsx";

export interface MenuAction {
  id: string;
  label: string;
  icon?: LucideIcon;
  shortcut?: string;
  isDisabled?: boolean;
  tone?: "danger";
  href?: string;
  /** "_blank" for a new tab. */
  target?: string;
  onAction?: () => void;
}

export interface MenuSection {
  /** Its heading; "" for a dividing line alone. */
  section: string;
  items: readonly MenuAction[];
}

/** One of several, as `menuitemradio`. The menu stays open. */
export interface MenuRadios {
  radio: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string; icon?: LucideIcon }[];
}

export type MenuEntry = MenuAction | MenuSection | MenuRadios;

export interface MenuProps {
  /** Of the menu; otherwise its button names it. */
  label?: string;
  /** Text, an icon with a label, or a button of one's own. */
  button: ReactNode | { label: string; icon: LucideIcon };
  items: readonly MenuEntry[];
  variant?: ButtonVariant;
  placement?: "bottom start" | "bottom end" | "top start" | "top end" | "end top";
  isDisabled?: boolean;
  isSmall?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

export function Menu({ label, button, items, placement = "bottom start", onOpenChange, ...look }: MenuProps) {
  return (
    <MenuTrigger onOpenChange={onOpenChange}>
      <Pressable>{buttonOf(button, look)}</Pressable>
      <Floating placement={placement}>
        <MenuList label={label} items={items} />
      </Floating>
    </MenuTrigger>
  );
}

interface MenuListProps extends Pick<MenuProps, "label" | "items"> {
  onClose?: () => void;
}

/** What the menu lists. On its own for a menu that many buttons share. */
export function MenuList({ label, items, onClose }: MenuListProps) {
  return (
    <AriaMenu
      className={choices.list}
      aria-label={label}
      aria-labelledby={label ? "" : undefined}
      onClose={onClose}
      autoFocus={onClose ? "first" : undefined}
    >
      {items.map((entry, at) => renderEntry(entry, at))}
    </AriaMenu>
  );
}

type Look = Pick<MenuProps, "variant" | "isDisabled" | "isSmall">;
/** As the library types what can be pressed. */
type Pressed = ReactElement<object, string>;

function buttonOf(button: MenuProps["button"], { isSmall, ...look }: Look): Pressed {
  if (isValidElement(button)) return button as Pressed;
  const made = isLabelled(button) ? (
    <IconButton label={button.label} icon={button.icon} isSmall={isSmall} {...look} />
  ) : (
    <Button endIcon={ChevronDown} {...look}>
      {button}
    </Button>
  );
  return made as Pressed;
}

function isLabelled(button: MenuProps["button"]): button is { label: string; icon: LucideIcon } {
  return typeof button === "object" && button !== null && "label" in button;
}

function renderEntry(entry: MenuEntry, at: number) {
  if ("radio" in entry) {
    return (
      <AriaSection
        key={`radio ${at}`}
        className={choices.section}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[entry.value]}
        onSelectionChange={(keys) => {
          const [key] = keys as Set<string>;
          if (key !== undefined && key !== entry.value) entry.onChange(key);
        }}
        shouldCloseOnSelect={false}
        aria-label={entry.radio}
      >
        <Header className={choices.heading}>{entry.radio}</Header>
        {entry.options.map((option) => (
          <AriaItem key={option.value} id={option.value} textValue={option.label} className={choices.row}>
            {option.icon && <Icon of={option.icon} />}
            <span className={choices.words}>{option.label}</span>
            <Icon of={Check} className={choices.tick} />
          </AriaItem>
        ))}
      </AriaSection>
    );
  }
  if ("section" in entry) {
    return (
      <AriaSection key={`section ${at}`} className={choices.section} aria-label={entry.section || undefined}>
        {entry.section && <Header className={choices.heading}>{entry.section}</Header>}
        {entry.items.map(renderAction)}
      </AriaSection>
    );
  }
  return renderAction(entry);
}

function renderAction({ id, label, icon, shortcut, isDisabled, tone, href, target, onAction }: MenuAction) {
  return (
    <AriaItem
      key={id}
      id={id}
      textValue={label}
      // The shortcut is not part of the name.
      aria-label={shortcut ? label : undefined}
      aria-keyshortcuts={shortcut?.includes(" ") ? undefined : shortcut?.replace("Ctrl", "Control")}
      isDisabled={isDisabled}
      href={href}
      target={target}
      rel={target === "_blank" ? "noreferrer" : undefined}
      onAction={onAction}
      className={classes(choices.row, tone === "danger" && choices.danger)}
    >
      {icon && <Icon of={icon} />}
      <span className={choices.words}>{label}</span>
      {shortcut && <Kbd keys={shortcut} />}
    </AriaItem>
  );
}
