/**
 * The items of a source in their order, of which up to `most` are asked for before anybody wants them, beginning now. An
 * error comes in its place. Whoever stops early ends the source by itself.
 */
export const readAhead = <Item>(source: AsyncGenerator<Item>, most: number): AsyncIterable<Item> => {
  const coming: Promise<IteratorResult<Item>>[] = [];
  const askForOne = (): void => {
    const next = source.next();
    // It is waited for in its turn, unless nobody comes to it any more.
    next.catch(() => undefined);
    coming.push(next);
  };
  for (let asked = 0; asked < most; asked += 1) askForOne();
  return {
    async *[Symbol.asyncIterator]() {
      for (let next = coming.shift(); next !== undefined; next = coming.shift()) {
        const { done, value } = await next;
        if (done) return;
        askForOne();
        yield value;
      }
    },
  };
};
