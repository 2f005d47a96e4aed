// Ways to sign in, and where one is signed in.

import { PasskeysPart } from "./PasskeysPart.tsx";
import { PasswordPart } from "./PasswordPart.tsx";
import styles from "./Profile.module.css";
import { SessionsPart } from "./SessionsPart.tsx";

export function SecurityTab() {
  return (
    <div className={styles.parts}>
      <PasswordPart />
      <PasskeysPart />
      <SessionsPart />
    </div>
  );
}
