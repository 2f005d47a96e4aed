// The templates as a tree of folders: one tab stop, arrows, a filter above it.

import type { TemplateFile } from "@contract/templates.ts";
import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronRight, FileCode, Folder, FolderOpen } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { rowAfter } from "#files/depot/pick.ts";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import { SearchInput } from "#ui/SearchInput.tsx";
import { useWords } from "#words/language.ts";
import { templateWords } from "#words/templates.ts";
import css from "./TemplateTree.module.css";
import { foldersAbove, keyOf, parentOf, type TreeNode, treeOf, visibleNodes } from "./tree.ts";

interface Props {
  templates: readonly TemplateFile[];
  /** The open template. */
  chosen: string | undefined;
  onRename?: ((id: string) => void) | undefined;
  onDelete?: ((id: string) => void) | undefined;
}

/** While there are so few, all folders are open. */
const fewTemplates = 30;

/** Folders that somebody opened or closed, from page to page. */
const folded = new Map<string, boolean>();

export function TemplateTree({ templates, chosen, onRename, onDelete }: Props) {
  const words = useWords(templateWords);
  const [filter, setFilter] = useState("");
  const [, setRound] = useState(0);
  const [focused, setFocused] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  const wanted = filter.trim().toLowerCase();
  const shown = templates.filter(({ id }) => id.toLowerCase().includes(wanted));
  const above = new Set(foldersAbove(chosen ?? ""));
  const isOpen = (path: string) =>
    wanted !== "" || (folded.get(path) ?? (above.has(path) || templates.length <= fewTemplates));
  const nodes = visibleNodes(treeOf(shown), new Set(shown.flatMap(({ id }) => foldersAbove(id)).filter(isOpen)));
  const current = nodes.find((node) => keyOf(node) === (focused ?? chosen)) ?? nodes[0];

  const setIsOpen = (path: string, next: boolean) => {
    folded.set(path, next);
    setRound((round) => round + 1);
  };
  const focus = (node: TreeNode | undefined) => {
    if (!node) return;
    setFocused(keyOf(node));
    const items = frame.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [];
    [...items].find((item) => item.dataset.key === keyOf(node))?.focus();
  };
  const press = (event: KeyboardEvent, node: TreeNode) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { key } = event;
    const { path, children } = node;
    const next = rowAfter(key, nodes.indexOf(node), nodes.length);
    if (next !== undefined) focus(nodes[next]);
    else if (key === "ArrowRight" && children) {
      if (isOpen(path)) focus(children[0]);
      else setIsOpen(path, true);
    } else if (key === "ArrowLeft") {
      if (children && isOpen(path)) setIsOpen(path, false);
      else focus(nodes.find((other) => other.children && other.path === parentOf(path)));
    } else if (key === "F2" && !children) onRename?.(path);
    else if (key === "Delete" && !children) onDelete?.(path);
    else if ((key === "Enter" || key === " ") && children) setIsOpen(path, !isOpen(path));
    else if (key === " ") (event.currentTarget as HTMLElement).click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const itemProps = (node: TreeNode) => ({
    "data-key": keyOf(node),
    "aria-level": node.level,
    onFocus: () => setFocused(keyOf(node)),
    onKeyDown: (event: KeyboardEvent) => press(event, node),
    style: { paddingInlineStart: `calc(${node.level - 1} * var(--space-5) + var(--space-3))` },
  });
  return (
    <div className={css.frame}>
      <SearchInput label={words.filter} placeholder={words.filter} isLabelHidden value={filter} onChange={setFilter} />
      {nodes.length === 0 && <p className={css.none}>{words.noMatch}</p>}
      <div ref={frame} role="tree" aria-label={words.title} className={css.tree} hidden={nodes.length === 0}>
        {nodes.map((node) =>
          node.children ? (
            // biome-ignore lint/a11y/useKeyWithClickEvents: by itemProps
            <div
              role="treeitem"
              key={keyOf(node)}
              {...itemProps(node)}
              tabIndex={node === current ? 0 : -1}
              aria-expanded={isOpen(node.path)}
              className={css.item}
              onClick={() => setIsOpen(node.path, !isOpen(node.path))}
            >
              <Icon of={isOpen(node.path) ? ChevronDown : ChevronRight} className={css.icon} />
              <Icon of={isOpen(node.path) ? FolderOpen : Folder} className={css.icon} />
              <span className={css.name}>{node.name}</span>
            </div>
          ) : (
            <Link
              role="treeitem"
              key={keyOf(node)}
              {...itemProps(node)}
              tabIndex={node === current ? 0 : -1}
              to="/admin/templates/$"
              params={{ _splat: node.path }}
              aria-selected={node.path === chosen}
              className={classes(css.item, css.template, node.path === chosen && css.chosen)}
            >
              <Icon of={FileCode} className={css.icon} />
              <span className={css.name}>{node.name}</span>
            </Link>
          ),
        )}
      </div>
    </div>
  );
}
