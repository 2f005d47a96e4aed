// Sentences of the playground.

export const playground = {
  title: "Playground",
  build: "Build",
  result: "Rendered result",
  saved: "Saved snippets",
  none: "No snippet is saved yet. Save this one to find it here.",
  newSnippet: "New snippet",
};
