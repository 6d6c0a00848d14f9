/** How many requests are answered at the same time; the others wait in the order in which they came. */
export type Places = {
  setAtOnce(most: number): void;
  /** Resolves when there is a place, to what gives it back. */
  take(): Promise<() => void>;
};

export const createPlaces = (): Places => {
  let most = Number.POSITIVE_INFINITY;
  let taken = 0;
  const waiting: (() => void)[] = [];
  const fill = (): void => {
    while (taken < most && waiting.length > 0) {
      taken += 1;
      waiting.shift()?.();
    }
  };
  const giveBack = (): void => {
    taken -= 1;
    fill();
  };
  return {
    setAtOnce: (atOnce) => {
      most = atOnce;
      fill();
    },
    take: async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        fill();
      });
      return giveBack;
    },
  };
};
