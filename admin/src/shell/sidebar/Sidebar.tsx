// The way to every page: a column on wide screens, icons on narrower ones, a bar on the narrowest. From the latter two the whole
// column opens over the page.

import { useLocation } from "@tanstack/react-router";
import { Menu as MenuIcon, Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useCan, useStart } from "#session/start.ts";
import { TextLink } from "#shell/links.tsx";
import { entriesFor, pathOf } from "#shell/navigation.ts";
import { isPaletteOpen } from "#shell/overlays.ts";
import { pageTitle } from "#shell/page-title.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Mark } from "#ui/Mark.tsx";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { commonWords } from "#words/common.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { Column } from "./Column.tsx";
import { closestTo } from "./is-at.ts";
import { MenuSheet } from "./MenuSheet.tsx";
import styles from "./Sidebar.module.css";
import { UserMenu } from "./UserMenu.tsx";

export function Sidebar() {
  const isWide = useMediaQuery("(min-width: 1200px)");
  const isNarrow = useMediaQuery("(max-width: 639px)");
  const [isOpen, setIsOpen] = useState(false);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu that led to it
  useEffect(() => setIsOpen(false), [path, isWide]);
  const words = useWords(shellWords);
  if (isWide)
    return (
      <nav className={styles.column} aria-label={words.main}>
        <Column />
      </nav>
    );
  const open = () => setIsOpen(true);
  return (
    <>
      {isNarrow ? <TopBar onMenu={open} /> : <Icons onMenu={open} />}
      {isOpen && (
        <MenuSheet onClose={() => setIsOpen(false)}>
          <nav className={styles.sheet} aria-label={words.main}>
            <Column />
          </nav>
        </MenuSheet>
      )}
    </>
  );
}

function TopBar({ onMenu }: { onMenu: () => void }) {
  const words = useWords(shellWords);
  return (
    <header className={styles.bar}>
      <IconButton icon={MenuIcon} label={words.menu} onPress={onMenu} aria-haspopup="dialog" />
      <span className={styles.pageName} aria-hidden="true">
        {pageTitle.use()}
      </span>
      <IconButton icon={Search} label={words.search} onPress={() => isPaletteOpen.set(true)} aria-haspopup="dialog" />
    </header>
  );
}

function Icons({ onMenu }: { onMenu: () => void }) {
  const words = { ...useWords(commonWords), ...useWords(shellWords) };
  const start = useStart();
  const { attention } = start;
  const entries = entriesFor(useCan(), start);
  const path = useLocation({ select: ({ pathname }) => pathname });
  const here = closestTo(path, entries.map(pathOf));
  return (
    <nav className={styles.icons} aria-label={words.main}>
      <Mark size={24} className={styles.mark} />
      <IconButton icon={MenuIcon} label={words.menu} onPress={onMenu} aria-haspopup="dialog" />
      <IconButton icon={Search} label={words.search} onPress={() => isPaletteOpen.set(true)} aria-haspopup="dialog" />
      <ul>
        {entries.map(({ label, icon: Icon, attention: count, ...entry }) => (
          <li key={entry.id}>
            <TextLink
              to={entry.to}
              {...(entry.params && { params: entry.params })}
              className={styles.icon}
              aria-label={label(words)}
              data-tip={label(words)}
              aria-current={pathOf(entry) === here ? "page" : undefined}
            >
              <Icon size={20} strokeWidth={1.75} aria-hidden />
              {!!count?.(attention) && <span className={styles.dot} />}
            </TextLink>
          </li>
        ))}
      </ul>
      <UserMenu isShort />
    </nav>
  );
}
