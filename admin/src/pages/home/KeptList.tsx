// Changes that this person has not saved yet, kept on this device.

import { homeWords } from "#words/home.ts";
import { useWords } from "#words/language.ts";
import styles from "./HomePage.module.css";

export function KeptList() {
  const words = useWords(homeWords);
  return <p className={styles.none}>{words.continueNone}</p>;
}
