import { useEffect, useState } from "react";

/** True once `isTrue` has lasted for that long: what is quick shows no sign of waiting. */
export function useDelayed(isTrue: boolean, milliseconds = 300): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!isTrue) return;
    const timer = setTimeout(() => setHasLasted(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [isTrue, milliseconds]);
  return isTrue && hasLasted;
}
