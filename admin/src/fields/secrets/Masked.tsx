import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { IconButton } from "#ui/IconButton.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import css from "./secrets.module.css";

/** A secret that is only read: dots, until it is asked for. */
export function Masked({ label, text }: { label: string; text: string }) {
  const words = useWords(fieldWords);
  const [isShown, setIsShown] = useState(false);
  return (
    <span className={css.masked}>
      <span className={css.secret}>{isShown ? text : words.masked}</span>
      <IconButton
        label={isShown ? words.hide(label) : words.show(label)}
        icon={isShown ? EyeOff : Eye}
        isSmall
        onPress={() => setIsShown(!isShown)}
      />
    </span>
  );
}
