// What can be done with a depot as a whole.

import { FolderPlus, Link as LinkIcon, LockKeyhole, Upload } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { ChooseFiles } from "#files/ChooseFiles.tsx";
import { acceptOf, type FileRules, rulesText } from "#files/file-rules.ts";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { SearchInput } from "#ui/SearchInput.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { depotWords } from "#words/depot.ts";
import { useWords } from "#words/language.ts";
import css from "./Depot.module.css";

const UrlDialog = lazy(() => import("#files/UrlDialog.tsx").then((module) => ({ default: module.UrlDialog })));

interface Props {
  label: string;
  rules: FileRules;
  search: string;
  onSearch: (search: string) => void;
  isReadOnly: boolean;
  /** The object is stored: folders can be made. */
  isStored: boolean;
  hasFiles: boolean;
  onUpload: (file: File | string) => void;
  onNewFolder: () => void;
  onProtect: () => void;
}

export function DepotBar(props: Props) {
  const { label, rules, search, onSearch, isReadOnly, isStored, hasFiles, onUpload, onNewFolder, onProtect } = props;
  const words = useWords(depotWords);
  const [isAsking, setIsAsking] = useState(false);
  const text = rulesText(rules, words);
  return (
    <>
      <div className={css.bar}>
        {!isReadOnly && (
          <>
            <ChooseFiles
              icon={Upload}
              accept={acceptOf(rules)}
              isMultiple
              onChoose={(files) => {
                for (const file of files) onUpload(file);
              }}
            >
              {words.upload}
              <VisuallyHidden>{words.ofLabel(label)}</VisuallyHidden>
            </ChooseFiles>
            <IconButton label={words.uploadFromUrl(label)} icon={LinkIcon} onPress={() => setIsAsking(true)} />
            <Button icon={FolderPlus} onPress={onNewFolder} isDisabled={!isStored}>
              {words.newFolder}
              <VisuallyHidden>{words.inLabel(label)}</VisuallyHidden>
            </Button>
          </>
        )}
        {hasFiles && (
          <div className={css.filter}>
            <SearchInput
              label={words.filterLabel(label)}
              placeholder={words.filter}
              value={search}
              onChange={onSearch}
            />
          </div>
        )}
        {!isReadOnly && isStored && (
          <Button icon={LockKeyhole} variant="quiet" onPress={onProtect} className={css.last}>
            {words.protection}
            <VisuallyHidden>{words.ofLabel(label)}</VisuallyHidden>
          </Button>
        )}
      </div>
      {!isReadOnly && (text !== words.rules.anyFile || !isStored) && (
        <p className={css.rules}>{isStored ? text : `${text}. ${words.folderFirst}`}</p>
      )}
      <Suspense>
        {isAsking && <UrlDialog label={label} onUpload={onUpload} onClose={() => setIsAsking(false)} />}
      </Suspense>
    </>
  );
}
