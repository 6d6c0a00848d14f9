import { setTimeout as delay } from 'node:timers/promises';

const MS = 1_000;

/** Calls `act` `count` times at a steady rate, however long calls take. Rejects with the first failure. */
export async function pace(
  { count, perSecond }: { count: number; perSecond: number },
  act: (n: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  const failures: unknown[] = [];
  const begin = (n: number) => act(n).catch((error: unknown) => void failures.push(error));
  while (underWay.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - startedAt) / MS) * perSecond));
    while (underWay.length < due) underWay.push(begin(underWay.length));
    if (failures.length > 0) break;
    await delay(1);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
}
