// Does something, and keeps why it did not work, to be shown at its place.

import { useState } from "react";

export function useAttempt() {
  const [error, setError] = useState<unknown>();
  return {
    error,
    attempt(run: () => Promise<void>): void {
      setError(undefined);
      run().catch(setError);
    },
  };
}
