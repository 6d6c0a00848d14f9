import { expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { createPulse } from './progress.ts';

const NEVER_MS = 600_000;

it('runs one work of an id at a time, and urgent work right after it', async () => {
  const pulse = createPulse(NEVER_MS);
  const begun: string[] = [];
  const first = Promise.withResolvers<void>();
  pulse.beat('job', () => {
    begun.push('first');
    return first.promise;
  });
  pulse.beat('job', () => void begun.push('overtaken'));
  pulse.beat('job', () => void begun.push('last'), true);
  expect(begun).toEqual(['first']);
  first.resolve();
  await eventually(() => expect(begun).toEqual(['first', 'last']));
  pulse.stop();
});

it('delays work that is not urgent until its turn', async () => {
  const pulse = createPulse(20);
  const begun: string[] = [];
  pulse.beat('job', () => void begun.push('first'));
  pulse.beat('job', () => void begun.push('second'));
  expect(begun).toEqual(['first']);
  await eventually(() => expect(begun).toEqual(['first', 'second']));
  pulse.stop();
});
