/**
 * One call under way per key: callers that come before it ends share its result or its error. Nothing is kept after that. The work belongs
 * to all of them, so it must not end with the signal of one.
 */
export const createSingleFlight = <Result>(): ((
  key: string,
  work: () => Promise<Result>,
) => Promise<Result>) => {
  const flights = new Map<string, Promise<Result>>();
  return (key, work) => {
    const flight = flights.get(key) ?? work().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
};
