type Shareable = { restoreServices(): Promise<void>; stop(): Promise<void> };

/** A system that test files share one after the other, until one leaves it broken. */
export const sharedSystem = <System extends Shareable>() => {
  let shared: System | undefined;
  /** Forgotten first: what fails while it stops is not stopped again. */
  const end = async (): Promise<void> => {
    const ending = shared;
    shared = undefined;
    await ending?.stop();
  };
  return {
    /** The one that works, or a new one. */
    join: async (start: () => Promise<System>): Promise<System> => {
      shared ??= await start();
      return shared;
    },
    /** With the services that it was started with, which must come back to work. */
    leave: async (): Promise<void> => {
      try {
        await shared?.restoreServices();
      } catch (cause) {
        await end().catch(() => undefined);
        throw new Error('this file leaves the shared system broken; the next one gets another', { cause });
      }
    },
    end,
  };
};
