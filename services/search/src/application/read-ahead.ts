/**
 * The items of a source in order. Requests up to `most` items ahead, starting now. An error takes its place among the items. A consumer that
 * stops early must end the source.
 */
export const readAhead = <Item>(source: AsyncGenerator<Item>, most: number): AsyncIterable<Item> => {
  const coming: Promise<IteratorResult<Item>>[] = [];
  const requestNext = (): void => {
    const next = source.next();
    // Awaited in its turn, unless the consumer stops before.
    next.catch(() => undefined);
    coming.push(next);
  };
  for (let asked = 0; asked < most; asked += 1) requestNext();
  return {
    async *[Symbol.asyncIterator]() {
      for (let next = coming.shift(); next !== undefined; next = coming.shift()) {
        const { done, value } = await next;
        if (done) return;
        requestNext();
        yield value;
      }
    },
  };
};
