// Opens what a field names in a new tab.

import { ExternalLink } from "lucide-react";
import { Icon } from "#ui/Icon.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import css from "./OpenLink.module.css";

export function OpenLink({ name, href }: { name: string; href: string }) {
  const words = useWords(fieldWords);
  const text = words.openAddress(name);
  return (
    <a className={css.open} href={href} target="_blank" rel="noreferrer" data-tip={text}>
      <Icon of={ExternalLink} />
      {/* As text, not as a label: the field alone is found by its label. */}
      <VisuallyHidden>{text}</VisuallyHidden>
    </a>
  );
}
