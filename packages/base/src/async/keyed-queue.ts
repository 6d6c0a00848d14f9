/** Runs work with the same key in turn. Work gets the result of what it waited for; undefined if it did not wait, or that failed. */
export const createKeyedQueue = <Result>() => {
  const newest = new Map<string, Promise<Result>>();
  return (key: string, work: (before?: Result) => Promise<Result>): Promise<Result> => {
    const before = newest.get(key);
    const result = before ? before.then(work, () => work()) : work();
    newest.set(key, result);
    const leave = () => {
      if (newest.get(key) === result) newest.delete(key);
    };
    result.then(leave, leave);
    return result;
  };
};
