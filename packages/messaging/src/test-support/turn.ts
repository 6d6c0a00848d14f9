/** Resolves when everything that was due in this turn of the event loop has happened. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
