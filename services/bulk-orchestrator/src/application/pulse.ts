/** Does something about one thing after the other, each at most every so many milliseconds. */
export type Pulse = {
  /** At once, or when it is its turn again; what comes in between is one. */
  beat(id: string, work: () => void): void;
  forget(id: string): void;
  stop(): void;
};

type Beating = { next: (() => void) | null; readonly timer: NodeJS.Timeout };

/** The first work of an id is done at once, what follows at most every so often, and the last always. */
export const createPulse = (everyMs: number): Pulse => {
  const beating = new Map<string, Beating>();
  const forget = (id: string): void => {
    clearInterval(beating.get(id)?.timer);
    beating.delete(id);
  };
  const turn = (id: string): void => {
    const of = beating.get(id);
    const work = of?.next;
    if (of) of.next = null;
    if (work) work();
    else forget(id);
  };
  return {
    beat: (id, work) => {
      const before = beating.get(id);
      if (before) {
        before.next = work;
        return;
      }
      const timer = setInterval(() => turn(id), everyMs);
      timer.unref();
      beating.set(id, { next: null, timer });
      work();
    },
    forget,
    stop: () => {
      for (const id of [...beating.keys()]) forget(id);
    },
  };
};
