// A new thing that was saved on its page keeps the form that it was made in, from the moment it is stored; the address follows.
// Once it was left, it is opened like any other.

import { useEffect, useRef, useState } from "react";

export interface MadeHere {
  /** Of the form: the same while the thing gets its id. */
  key: string;
  isMade: boolean;
  onMade: (id: string) => void;
}

/** `id`: of the address; undefined for a new thing. `place`: what sets forms of other places apart. */
export function useMade(place: string, id: string | undefined): MadeHere {
  const [made, setMade] = useState<{ id: string; key: string }>();
  const [round, setRound] = useState(0);
  const hasArrived = useRef(false);
  const isMade = made !== undefined && (made.id === id || !hasArrived.current);
  useEffect(() => {
    if (!made) return;
    if (made.id === id) hasArrived.current = true;
    else if (hasArrived.current) {
      hasArrived.current = false;
      setMade(undefined);
      setRound((before) => before + 1);
    }
  }, [made, id]);
  const key = isMade ? made.key : `${place}/${id ?? ""}/${made ? round + 1 : round}`;
  return { key, isMade, onMade: (newId) => setMade({ id: newId, key }) };
}
