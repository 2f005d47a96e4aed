// Copies a text, and says so.

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, type ButtonVariant } from "./Button.tsx";
import { copyText } from "./copyText.ts";
import { IconButton } from "./IconButton.tsx";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

interface Props {
  text: string;
  label: string;
  copiedLabel: string;
  /** One icon, with the label as its name. */
  isIconOnly?: boolean;
  variant?: ButtonVariant;
}

const shownFor = 2_000;

export function CopyButton({ text, label, copiedLabel, isIconOnly, variant }: Props) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), shownFor);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => void copyText(text).then(setIsCopied);
  const icon = isCopied ? Check : Copy;
  return (
    <>
      {isIconOnly ? (
        <IconButton label={label} icon={icon} isSmall variant={variant} onPress={copy} />
      ) : (
        <Button icon={icon} variant={variant} onPress={copy}>
          {label}
        </Button>
      )}
      <span role="status">{isCopied && <VisuallyHidden>{copiedLabel}</VisuallyHidden>}</span>
    </>
  );
}
