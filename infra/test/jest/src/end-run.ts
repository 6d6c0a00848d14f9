const TIMEOUT_MS = 60_000;

// Jest wants a default export here.
/** Ends a run that has said its results, whatever its tests have left open: one that failed often leaves a server or a process. */
export default (): void => {
  setTimeout(() => process.exit(), TIMEOUT_MS).unref();
};
