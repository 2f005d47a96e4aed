// Parts of a table that are drawn as boxes lose their roles in some browsers, so each says its own.

export const roles = {
  grid: { role: "grid" },
  selectable: { role: "grid", "aria-multiselectable": true },
  tree: { role: "treegrid", "aria-multiselectable": true },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  gridcell: { role: "gridcell" },
} as const;
