import { describe, expect, it } from '@jest/globals';
import { createSemaphore } from './semaphore.ts';

describe('lookUps', () => {
  it('lets so many run at once, and the others as these end, well or not', async () => {
    const lookUps = createSemaphore(2, 60_000);
    const running = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
    const begun: number[] = [];
    const results = running.map(({ promise }, n) =>
      lookUps.run(() => {
        begun.push(n);
        return promise;
      }),
    );
    const settled = Promise.allSettled(results);
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    expect(begun).toEqual([0, 1]);
    running[1]?.reject(new Error('failed'));
    await expect(results[1]).rejects.toThrow('failed');
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    for (const { resolve } of running) resolve(7);
    expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(await lookUps.run(async () => 'again')).toBe('again');
  });

  it('keeps no more waiting than could have their turn', async () => {
    const lookUps = createSemaphore(1, 60_000);
    const hanging = Promise.withResolvers<number>();
    const sent = Array.from({ length: 5_000 }, () => lookUps.run(() => hanging.promise));
    const refused = sent.map((each) =>
      each.then(
        () => 'done',
        ({ code }) => code,
      ),
    );
    await expect(sent.at(-1)).rejects.toMatchObject({ code: 'rate_limit' });
    hanging.resolve(1);
    const done = (await Promise.all(refused)).filter((outcome) => outcome === 'done');
    expect(done).toHaveLength(1_001);
  });

  it('that do not come in time are an outage, and what waited does nothing', async () => {
    const lookUps = createSemaphore(1, 20);
    const hanging = Promise.withResolvers<void>();
    const first = lookUps.run(() => hanging.promise);
    let isDone = false;
    const late = lookUps.run(async () => {
      isDone = true;
    });
    await expect(late).rejects.toMatchObject({ code: 'service_unavailable' });
    hanging.resolve();
    await first;
    expect(isDone).toBe(false);
    expect(await lookUps.run(async () => 1)).toBe(1);
  });
});
