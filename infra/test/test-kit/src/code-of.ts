/** The code of a call's error, or that the call was answered. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: { code?: string }) => error.code ?? String(error),
  );
