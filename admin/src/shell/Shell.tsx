// The frame around every page but the sign-in: sidebar, bars, the page itself.

import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import styles from "./Shell.module.css";
import { Sidebar } from "./Sidebar.tsx";
import { listenToKeys } from "./shortcuts.ts";

export function Shell() {
  const words = useWords(shellWords);
  useEffect(listenToKeys, []);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        {words.skip}
      </a>
      <Sidebar />
      <div className={styles.content}>
        <Outlet />
      </div>
    </div>
  );
}
