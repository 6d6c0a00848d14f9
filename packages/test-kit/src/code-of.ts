/** What an asked service says: the code of its error, or that it has answered. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: { code?: string }) => error.code ?? String(error),
  );
