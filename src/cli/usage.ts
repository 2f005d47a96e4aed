// A command that was called wrongly: exit code 2.

export class UsageError extends Error {}
