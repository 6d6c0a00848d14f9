import { expect, it } from '@jest/globals';
import { leastCpuMs } from './cpu-time.ts';

const spin = (ms: number): void => {
  const start = performance.now();
  while (performance.now() - start < ms);
};

it('CPU time is that of the fastest of several runs', async () => {
  const lengths = [200, 0, 200];
  let run = 0;
  const leastMs = await leastCpuMs(() => spin(lengths[run++] ?? 0));
  expect(run).toBe(3);
  expect(leastMs).toBeLessThan(await leastCpuMs(() => spin(200)));
});

it('CPU time is measured once if that is fast enough', async () => {
  let runs = 0;
  await leastCpuMs(() => void runs++, { enoughMs: 1_000 });
  expect(runs).toBe(1);
});

it('CPU time is finer than a tick of the system', async () => {
  const work = () => JSON.stringify(Array.from({ length: 5_000 }, (_, at) => ({ at })));
  const each = [];
  for (let time = 0; time < 20; time += 1) each.push(await leastCpuMs(work, { runs: 1 }));
  expect(Math.min(...each)).toBeGreaterThan(0);
});
