import { setTimeout as delay } from 'node:timers/promises';

const MS = 1_000;

/** Calls `act` so many times at a steady rate, whatever earlier calls take; resolves when all have. */
export async function pace(
  { count, perSecond }: { count: number; perSecond: number },
  act: (n: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  while (underWay.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - startedAt) / MS) * perSecond));
    while (underWay.length < due) underWay.push(act(underWay.length));
    await delay(1);
  }
  await Promise.all(underWay);
}
