import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { droppedTree, movedTree, type PageNode, rowsOf, treeOf } from "./page-tree.ts";

const page = (id: string, parent: string, order: number) => ({ kind: "page" as const, id, title: "", parent, order });
const tree = treeOf([page("b", "", 2), page("a", "", 1), page("a2", "a", 2), page("a1", "a", 1), page("c", "", 3)]);
const shown = (nodes: PageNode[] | undefined) => nodes && rowsOf(nodes).map(({ node, level }) => `${level} ${node.id}`);

test("ADM-1061 pages stand below their parents, in their order", () => {
  deepEqual(shown(tree), ["1 a", "2 a1", "2 a2", "1 b", "1 c"]);
  const odd = treeOf([
    page("x", "y", 1),
    page("y", "x", 1),
    page("z", "gone", 1),
    { ...page("o", "", 0), kind: "object" },
  ]);
  deepEqual(shown(odd), ["1 x", "1 y", "1 z"]);
});

test("ADM-1061 a page moves up, down, in and out", () => {
  deepEqual(shown(movedTree(tree, "b", "up")), ["1 b", "1 a", "2 a1", "2 a2", "1 c"]);
  deepEqual(shown(movedTree(tree, "b", "in")), ["1 a", "2 a1", "2 a2", "2 b", "1 c"]);
  deepEqual(shown(movedTree(tree, "a1", "out")), ["1 a", "2 a2", "1 a1", "1 b", "1 c"]);
  deepEqual(shown(movedTree(tree, "a", "down")), ["1 b", "1 a", "2 a1", "2 a2", "1 c"]);
  for (const [id, move] of [
    ["a", "up"],
    ["c", "down"],
    ["a", "in"],
    ["b", "out"],
    ["none", "up"],
  ] as const)
    equal(movedTree(tree, id, move), undefined, `${id} ${move}`);
});

test("ADM-1061 a page is dropped between others, further in or out as far as they allow, never below itself", () => {
  deepEqual(shown(droppedTree(tree, 4, 1)), ["1 a", "2 c", "2 a1", "2 a2", "1 b"]);
  deepEqual(shown(droppedTree(tree, 1, 4)), ["1 a", "2 a2", "1 b", "1 c", "2 a1"]);
  deepEqual(shown(droppedTree(tree, 1, 4, -1)), ["1 a", "2 a2", "1 b", "1 c", "1 a1"]);
  deepEqual(shown(droppedTree(tree, 4, 4, 1)), ["1 a", "2 a1", "2 a2", "1 b", "2 c"]);
  deepEqual(shown(droppedTree(tree, 4, 4, 7)), ["1 a", "2 a1", "2 a2", "1 b", "2 c"]);
  deepEqual(shown(droppedTree(tree, 0, 4)), ["1 b", "1 c", "1 a", "2 a1", "2 a2"]);
  deepEqual(shown(droppedTree(tree, 0, 4, 1)), ["1 b", "1 c", "2 a", "3 a1", "3 a2"]);
  deepEqual(shown(droppedTree(tree, 2, 2, 1)), ["1 a", "2 a1", "3 a2", "1 b", "1 c"]);
  for (const [from, to, levels] of [
    [0, 2, 0],
    [0, 0, 3],
    [3, 3, 0],
    [9, 0, 0],
  ] as const)
    equal(droppedTree(tree, from, to, levels), undefined, `${from} ${to} ${levels}`);
});
