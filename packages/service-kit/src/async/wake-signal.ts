/** Ends one wait early; a wake while nobody waits ends the next wait at once. */
export type WakeSignal = { wake(): void; wait(ms: number): Promise<void> };

export const createWakeSignal = (): WakeSignal => {
  let isWoken = false;
  let endWait: (() => void) | undefined;
  return {
    wake: () => {
      isWoken = true;
      endWait?.();
    },
    wait: async (ms) => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        endWait = undefined;
      }
      isWoken = false;
    },
  };
};
