// What can be done with a depot as a whole.

import { FolderPlus, LockKeyhole } from "lucide-react";
import { UploadButtons } from "#files/taking/UploadButtons.tsx";
import { Button } from "#ui/Button.tsx";
import { SearchInput } from "#ui/SearchInput.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { depotWords } from "#words/depot.ts";
import { useWords } from "#words/language.ts";
import css from "./Depot.module.css";

interface Props {
  label: string;
  /** In words; empty without any. */
  rules: string;
  accept: string | undefined;
  search: string;
  onSearch: (search: string) => void;
  isReadOnly: boolean;
  /** The object is stored: folders can be made. */
  isStored: boolean;
  hasFiles: boolean;
  onUpload: (files: readonly (File | string)[]) => void;
  onNewFolder: () => void;
  onProtect: () => void;
}

export function DepotBar(props: Props) {
  const { label, rules, accept, search, onSearch, isReadOnly, isStored, hasFiles, onUpload, onNewFolder, onProtect } =
    props;
  const words = useWords(depotWords);
  return (
    <>
      <div className={css.bar}>
        {!isReadOnly && (
          <>
            <UploadButtons
              label={label}
              accept={accept}
              isMultiple
              onFiles={onUpload}
              onUrl={(address) => onUpload([address])}
            />
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
      {!isReadOnly && (
        <p className={css.rules}>{[rules, ...(isStored ? [] : [words.folderFirst])].filter(Boolean).join(". ")}</p>
      )}
    </>
  );
}
