// A component whose code is fetched apart. Unlike `lazy` it appears at once when its code is there: React holds back for 300 ms
// what has once been waited for.

import { type ComponentType, type ReactNode, useEffect, useState } from "react";

export interface LoadedLater<Props> {
  (props: Props): ReactNode;
  /** Ahead of its use. What cannot be had now is asked for again when it is shown. */
  load: () => void;
}

export function loadedLater<Props extends object>(fetch: () => Promise<ComponentType<Props>>): LoadedLater<Props> {
  let known: ComponentType<Props> | undefined;
  const load = async () => {
    known ??= await fetch();
    return known;
  };
  function Later(props: Props) {
    const [found, setFound] = useState(() => ({ component: known }));
    useEffect(() => {
      if (found.component) return;
      load().then(
        (component) => setFound({ component }),
        // For the page's own handling of errors.
        (error) =>
          setFound(() => {
            throw error;
          }),
      );
    }, [found]);
    const { component: Component } = found;
    return Component ? <Component {...props} /> : null;
  }
  return Object.assign(Later, { load: () => void load().catch(() => {}) });
}
