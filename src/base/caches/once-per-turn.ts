// Asks that are made once for all requests that arrive together, and are exact all the same: what was answered anywhere before a
// request was sent is seen by the code that handles that request.

let turn = 0;
let isOpen = false;
let hasRequests = false;

/**
 * To be called first with each request. Requests whose bytes were there when the loop looked at the network are handled one
 * after the other, and share a turn. What was asked earlier, in a timer or between two looks at the network, is not shared.
 */
export function beginTurn(): void {
  if (hasRequests) return;
  hasRequests = true;
  isOpen = true;
  turn += 1;
  setImmediate(() => {
    hasRequests = false;
    isOpen = false;
  });
}

/** Without a request a turn lasts no longer than the work that cannot be interrupted. */
function presentTurn(): number {
  if (!isOpen) {
    isOpen = true;
    turn += 1;
    queueMicrotask(() => {
      isOpen = hasRequests;
    });
  }
  return turn;
}

/** The answer of the present turn, asked for when it is first needed. */
export function oncePerTurn<T>(ask: () => T): () => T {
  let askedIn = 0;
  let answer: T;
  return () => {
    const now = presentTurn();
    if (now !== askedIn) {
      answer = ask();
      askedIn = now;
    }
    return answer;
  };
}
