/** Whoever waits for it waits until it is woken. */
type WakeSignal = { wake(): void; wait(): Promise<void> };

export const createWakeSignal = (): WakeSignal => {
  let isWoken = false;
  let endWait: (() => void) | undefined;
  return {
    wake: () => {
      isWoken = true;
      endWait?.();
    },
    wait: async () => {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          endWait = resolve;
        });
      endWait = undefined;
      isWoken = false;
    },
  };
};
