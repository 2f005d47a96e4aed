// Takes files that are dropped or pasted into it. What is inside works as before.

import { Upload as UploadIcon } from "lucide-react";
import { type ClipboardEvent, type ComponentProps, type DragEvent, useRef, useState } from "react";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { fileWords } from "#words/files.ts";
import { useWords } from "#words/language.ts";
import css from "./DropArea.module.css";

interface Props extends Omit<ComponentProps<"div">, "onDrop" | "onPaste"> {
  onFiles: (files: File[]) => void;
  /** In place of `onFiles`, where folders matter too. */
  onTransfer?: (data: DataTransfer) => void;
  isDisabled?: boolean;
}

export function DropArea({ onFiles, onTransfer, isDisabled, className, children, ...rest }: Props) {
  const words = useWords(fileWords);
  const [isOver, setIsOver] = useState(false);
  // Leaving a child is not leaving the area.
  const depth = useRef(0);
  const isMeant = ({ dataTransfer }: DragEvent) => !isDisabled && dataTransfer.types.includes("Files");
  const end = () => {
    depth.current = 0;
    setIsOver(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping and pasting are further ways; a button inside is the first
    <div
      {...rest}
      className={classes(css.area, className)}
      onDragEnter={(event) => {
        if (!isMeant(event)) return;
        depth.current += 1;
        setIsOver(true);
      }}
      onDragLeave={() => {
        depth.current -= 1;
        if (depth.current <= 0) end();
      }}
      onDragOver={(event) => {
        if (!isMeant(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      }}
      onDrop={(event) => {
        end();
        if (!isMeant(event)) return;
        event.preventDefault();
        event.stopPropagation();
        if (onTransfer) onTransfer(event.dataTransfer);
        else onFiles([...event.dataTransfer.files]);
      }}
      onPaste={(event: ClipboardEvent) => {
        const files = [...event.clipboardData.files];
        if (isDisabled || files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        onFiles(files);
      }}
    >
      {children}
      {isOver && (
        <div className={css.over} aria-hidden="true">
          <Icon of={UploadIcon} size={20} />
          {words.dropNow}
        </div>
      )}
    </div>
  );
}
