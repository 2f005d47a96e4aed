// "Upload {label}" and "Upload {label} from a URL".

import { Link2, type LucideIcon, Upload as UploadIcon } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { Button, type ButtonVariant } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";

const UrlDialog = lazy(() => import("./UrlDialog.tsx").then((module) => ({ default: module.UrlDialog })));

interface Props {
  label: string;
  onFiles: (files: File[]) => void;
  onUrl?: (address: string) => void;
  accept?: string | undefined;
  isMultiple?: boolean;
  isDisabled?: boolean;
  variant?: ButtonVariant;
  icon?: LucideIcon;
  /** Shown in place of "Upload", which stays in the name. */
  word?: string | undefined;
  /** What a press does, where the word alone says too little. */
  tip?: string | undefined;
  describedBy?: string | undefined;
}

export function UploadButtons(props: Props) {
  const {
    label,
    onFiles,
    onUrl,
    accept,
    isMultiple,
    isDisabled,
    variant,
    icon = UploadIcon,
    tip,
    describedBy,
    word,
  } = props;
  const words = useWords(fileWords);
  const input = useRef<HTMLInputElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept={accept}
        multiple={isMultiple}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file can be chosen again.
          currentTarget.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button
        icon={icon}
        variant={variant}
        isDisabled={isDisabled}
        data-tip={tip}
        aria-describedby={describedBy}
        onPress={() => input.current?.click()}
      >
        {word === undefined ? (
          <>
            {words.upload}
            <VisuallyHidden> {label}</VisuallyHidden>
          </>
        ) : (
          <>
            <VisuallyHidden>{words.uploadTo(label)}: </VisuallyHidden>
            {word}
          </>
        )}
      </Button>
      {onUrl && (
        <IconButton
          icon={Link2}
          variant={variant === "primary" ? "plain" : variant}
          isDisabled={isDisabled}
          label={words.uploadFromUrl(label)}
          onPress={() => setIsAsking(true)}
        />
      )}
      {isAsking && onUrl && (
        <Suspense>
          <UrlDialog title={words.uploadFromUrl(label)} onUrl={onUrl} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
