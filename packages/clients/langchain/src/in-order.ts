/** As many transcripts as an account without a purchase may have fetched at a time. */
const MAX_AT_ONCE = 2;

/** Runs two at a time, and yields the results in the order of the items. */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  run: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  for await (const item of items) {
    const [oldest] = running;
    if (oldest && running.length === MAX_AT_ONCE) {
      yield await oldest;
      running.shift();
    }
    const result = run(item);
    // Its error is thrown when its turn comes, or is of no interest any more.
    result.catch(() => {});
    running.push(result);
  }
  for (const result of running) yield await result;
}
