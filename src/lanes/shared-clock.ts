// Time that queries which run side by side divide among themselves: of four at once, each is charged a quarter. So a query is
// charged no more because others are at work, and all of them together never more than the time that went by.

export interface SharedClock {
  /** Returns what the query is charged when it ends. */
  begin(): () => number;
}

export function createSharedClock(now = () => performance.now()): SharedClock {
  let running = 0;
  let charged = 0;
  let movedAt = 0;

  function move(): void {
    const moment = now();
    if (running > 0) charged += (moment - movedAt) / running;
    movedAt = moment;
  }

  return {
    begin() {
      move();
      running += 1;
      const before = charged;
      return () => {
        move();
        running -= 1;
        return charged - before;
      };
    },
  };
}
