/** Runs work with the same key in turn. Work gets the result of what it waited for; undefined if it did not wait, or that failed. */
export const createKeyedQueue = <Result>() => {
  const latest = new Map<string, Promise<Result>>();
  return (key: string, work: (previous?: Result) => Promise<Result>): Promise<Result> => {
    const previous = latest.get(key);
    const result = previous ? previous.then(work, () => work()) : work();
    latest.set(key, result);
    const leave = () => {
      if (latest.get(key) === result) latest.delete(key);
    };
    result.then(leave, leave);
    return result;
  };
};
