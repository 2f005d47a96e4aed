// Who is signed in, and what is theirs: profile, look, language, help, the way out.

import { useNavigate } from "@tanstack/react-router";
import { BookOpen, ChevronsUpDown, Keyboard, LogOut, Monitor, Moon, Sun, User } from "lucide-react";
import { keptLook, savePreferences, usePreferences } from "#session/preferences.ts";
import { signOut } from "#session/sign-in.ts";
import { useStart } from "#session/start.ts";
import { errorText } from "#shell/LoadState.tsx";
import { linkProps } from "#shell/links.tsx";
import { areShortcutsShown } from "#shell/overlays.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Menu, type MenuEntry } from "#ui/Menu.tsx";
import { toast } from "#ui/toast.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { commonWords } from "#words/common.ts";
import { currentLanguage, languages, useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import styles from "./Column.module.css";

export function UserMenu({ isShort = false }: { isShort?: boolean }) {
  const { user } = useStart();
  const name = user.name || user.email;
  const items = useUserMenu();
  return (
    <Menu
      items={items}
      placement={isShort ? "end top" : "top start"}
      button={
        <button type="button" className={styles.user} data-tip={isShort ? name : undefined}>
          <Avatar name={name} />
          {isShort ? (
            <VisuallyHidden>{name}</VisuallyHidden>
          ) : (
            <>
              <span className={styles.person}>
                <span className={styles.name}>{name}</span>
                {user.name && (
                  <span className={styles.email} aria-hidden="true">
                    {user.email}
                  </span>
                )}
              </span>
              <Icon of={ChevronsUpDown} />
            </>
          )}
        </button>
      }
    />
  );
}

function useUserMenu(): MenuEntry[] {
  const words = { ...useWords(commonWords), ...useWords(shellWords) };
  const { can } = useStart();
  const navigate = useNavigate();
  const look = { ...keptLook(), ...usePreferences() };
  const leave = () => {
    signOut().catch((error: unknown) => toast.bad(errorText(error, words).text));
  };
  return [
    {
      id: "profile",
      label: words.profile,
      icon: User,
      onAction: () => void navigate(linkProps({ to: "/admin/profile" })),
    },
    {
      radio: words.theme,
      value: look.theme ?? "system",
      onChange: (theme) => savePreferences({ theme: theme as "light" }),
      options: [
        { value: "light", label: words.light, icon: Sun },
        { value: "dark", label: words.dark, icon: Moon },
        { value: "system", label: words.system, icon: Monitor },
      ],
    },
    {
      radio: words.density,
      value: look.density ?? "comfortable",
      onChange: (density) => savePreferences({ density: density as "compact" }),
      options: [
        { value: "comfortable", label: words.comfortable },
        { value: "compact", label: words.compact },
      ],
    },
    {
      radio: words.language,
      value: currentLanguage(),
      onChange: (language) => savePreferences({ language }),
      options: Object.entries(languages).map(([value, label]) => ({ value, label })),
    },
    {
      section: "",
      items: [
        {
          id: "shortcuts",
          label: words.keyboardShortcuts,
          icon: Keyboard,
          shortcut: "?",
          onAction: () => areShortcutsShown.set(true),
        },
        ...(can.docs
          ? [{ id: "api", label: words.apiReference, icon: BookOpen, href: "/api/docs", target: "_blank" }]
          : []),
        { id: "out", label: words.signOut, icon: LogOut, onAction: leave },
      ],
    },
  ];
}
