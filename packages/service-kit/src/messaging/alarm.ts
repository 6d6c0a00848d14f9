/** Ends one wait early; a ring while nobody waits ends the next wait at once. */
export type Alarm = { ring(): void; wait(ms: number): Promise<void> };

export const createAlarm = (): Alarm => {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    wait: async (ms) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      rung = false;
    },
  };
};
