// The pages as menus and breadcrumbs show them: a tree that is put into another order by drag, or by Alt with the arrow keys. Each
// move is saved at once; when somebody else was faster, their order is shown and the move is not made.

import type { SiteRouteInfo } from "@contract/site.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText, GripVertical } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { rowAfter } from "#files/depot/pick.ts";
import { useCan } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { classes } from "#ui/classes.ts";
import { Icon } from "#ui/Icon.tsx";
import ordering from "#ui/ordering.module.css";
import { Slab } from "#ui/Slab.tsx";
import { useOrdering } from "#ui/useOrdering.ts";
import { useWords } from "#words/language.ts";
import { siteWords } from "#words/site.ts";
import css from "./PageTree.module.css";
import { droppedTree, movedTree, type PageMove, type PageNode, rowsOf, sentTree, treeOf } from "./page-tree.ts";
import { orderPages, pageOrderQuery, pagesCollection } from "./site-calls.ts";

/** More are neither shown nor sent at once. */
const most = 1000;
/** How far to drag aside for one level, in pixels. */
const levelWidth = 24;
const moves: Record<string, PageMove> = { ArrowUp: "up", ArrowDown: "down", ArrowRight: "in", ArrowLeft: "out" };

const isNoTree = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[2] !== pageOrderQuery.queryKey[2];

export function PageTree() {
  const words = useWords(siteWords);
  const can = useCan();
  const heading = useId();
  const pages = useQuery(pageOrderQuery);
  const count = pages.data?.data.filter(({ kind }) => kind === "page").length ?? 0;
  if (count === 0 && !pages.isError) return null;
  return (
    <Slab as="section" aria-labelledby={heading} className={css.slab}>
      <h2 id={heading} className={css.title}>
        {words.pageOrder}
      </h2>
      <p className={css.text}>{words.pageOrderText}</p>
      {!pages.data ? (
        <Failed error={pages.error} onRetry={() => void pages.refetch()} />
      ) : count > most ? (
        <p className={css.text}>{words.tooManyPages(most)}</p>
      ) : (
        <Tree {...pages.data} canMove={can("update", { objects: pagesCollection })} />
      )}
    </Slab>
  );
}

function Tree({ data, etag, canMove }: { data: SiteRouteInfo[]; etag: string; canMove: boolean }) {
  const words = useWords(siteWords);
  const client = useQueryClient();
  const [focused, setFocused] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  /** What came while a move was being saved: all of it is saved after it, at once. */
  const wanted = useRef<PageNode[]>(undefined);
  const saving = useMutation({
    mutationFn: async (first: PageNode[]) => {
      wanted.current = undefined;
      await client.cancelQueries({ queryKey: pageOrderQuery.queryKey });
      let answer = await orderPages({ tree: sentTree(first) }, etag);
      while (wanted.current) {
        const next: PageNode[] = wanted.current;
        wanted.current = undefined;
        answer = await orderPages({ tree: sentTree(next) }, answer.etag);
      }
      return answer;
    },
    onSuccess: (answer) => client.setQueryData(pageOrderQuery.queryKey, answer),
    // The order of others is shown before it is spoken of.
    onError: () => client.invalidateQueries({ queryKey: pageOrderQuery.queryKey }),
    // The table beside it shows parents and places too. The tree has its answer already.
    onSettled: () => void client.invalidateQueries({ queryKey: ["objects", pagesCollection], predicate: isNoTree }),
  });
  const [shown, show] = useState<PageNode[]>();
  const tree = (saving.isPending ? shown : undefined) ?? treeOf(data);
  const rows = rowsOf(tree);
  const save = (next: PageNode[] | undefined) => {
    if (!next) return;
    show(next);
    if (saving.isPending) wanted.current = next;
    else saving.mutate(next);
  };
  const order = useOrdering({
    count: rows.length,
    direction: "column",
    step: levelWidth,
    onMove: (from, to, levels) => save(droppedTree(tree, from, to, levels)),
    isDisabled: !canMove,
  });
  const current = rows.find(({ node }) => node.id === focused) ?? rows[0];

  // An element that is put elsewhere in the page loses the focus.
  const isInside = useRef(false);
  useEffect(() => {
    if (isInside.current && focused !== undefined) focusOn(frame.current, focused);
  });

  const press = (event: KeyboardEvent, id: string) => {
    if (event.ctrlKey || event.metaKey) return;
    const move = moves[event.key];
    if (event.altKey && move && canMove) save(movedTree(tree, id, move));
    else if (event.altKey) return;
    else {
      const next = rowAfter(
        event.key,
        rows.findIndex(({ node }) => node.id === id),
        rows.length,
      );
      const row = next === undefined ? undefined : rows[next];
      if (!row) return;
      focusOn(frame.current, row.node.id);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      {canMove && <p className={css.text}>{words.movePages}</p>}
      <div
        ref={frame}
        role="tree"
        aria-label={words.pageTree}
        className={css.tree}
        onFocus={() => {
          isInside.current = true;
        }}
        onBlur={({ relatedTarget }) => {
          isInside.current = relatedTarget === null ? isInside.current : !!frame.current?.contains(relatedTarget);
        }}
      >
        {rows.map(({ node: { id, title }, level }, at) => {
          const { onKeyDown: _keys, ...entry } = order.entry(at);
          return (
            <div key={id} {...entry} className={classes(css.row, ordering.column)} role="none">
              {canMove && (
                <span {...order.handle(at)} className={ordering.grip} aria-hidden="true">
                  <Icon of={GripVertical} />
                </span>
              )}
              <Link
                role="treeitem"
                data-key={id}
                aria-level={level}
                aria-selected={false}
                tabIndex={id === current?.node.id ? 0 : -1}
                to="/admin/collections/$collection/$id"
                params={{ collection: pagesCollection, id }}
                className={css.item}
                style={{ paddingInlineStart: `calc(${level - 1} * var(--space-5) + var(--space-3))` }}
                onFocus={() => setFocused(id)}
                onKeyDown={(event) => press(event, id)}
                draggable={false}
              >
                <Icon of={FileText} className={css.icon} />
                <span className={css.name}>{title}</span>
              </Link>
            </div>
          );
        })}
      </div>
      <p role="status" className={css.text}>
        {saving.isError ? words.orderRefused : saving.isSuccess ? words.orderSaved : ""}
      </p>
    </>
  );
}

function focusOn(frame: HTMLElement | null, id: string): void {
  const items = [...(frame?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
  const found = items.find((item) => item.dataset.key === id);
  if (found && found !== document.activeElement) found.focus();
}
