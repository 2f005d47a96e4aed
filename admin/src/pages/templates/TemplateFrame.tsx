// The tree beside the page of a template. On small screens the tree is the page of all templates.

import type { TemplateFile } from "@contract/templates.ts";
import type { ReactNode } from "react";
import { classes } from "#ui/classes.ts";
import { Notice } from "#ui/Notice.tsx";
import { Slab } from "#ui/Slab.tsx";
import { useWords } from "#words/language.ts";
import { templateWords } from "#words/templates.ts";
import { TemplateTree } from "./TemplateTree.tsx";
import css from "./templates.module.css";

interface Props {
  templates: readonly TemplateFile[];
  chosen: string | undefined;
  isManaged: boolean;
  onRename?: ((id: string) => void) | undefined;
  onDelete?: ((id: string) => void) | undefined;
  children: ReactNode;
}

export function TemplateFrame({ templates, chosen, isManaged, onRename, onDelete, children }: Props) {
  const words = useWords(templateWords);
  return (
    <div className={css.page}>
      {isManaged && (
        <Notice tone="info" title={words.managed}>
          {words.managedText}
        </Notice>
      )}
      <div className={classes(css.columns, chosen !== undefined && css.opened)}>
        <Slab className={classes(css.slab, css.tree)}>
          <TemplateTree templates={templates} chosen={chosen} onRename={onRename} onDelete={onDelete} />
        </Slab>
        {children}
      </div>
    </div>
  );
}
