import { describe, expect, it } from '@jest/globals';
import { createLargeBodies } from './request-body.ts';

const large = { headers: { 'content-length': '1000000' } };
const small = { headers: { 'content-length': '1000' } };
const unknown = { headers: {} };

const open = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { read: () => promise, resolve, reject };
};

describe('large bodies', () => {
  it.each([large, unknown])(
    'of one account are read two at a time, beside those of other accounts',
    async (sent) => {
      const read = createLargeBodies();
      const bodies = [open(), open()] as const;
      const reading = bodies.map((body) => read('one', sent, body.read));
      await expect(read('one', sent, async () => 'third')).rejects.toMatchObject({
        data: { code: 'concurrency_cap', retryAfterSeconds: 1 },
      });
      expect(await read('one', small, async () => 'small')).toBe('small');
      expect(await read('other', sent, async () => 'other')).toBe('other');
      bodies[0].resolve('first');
      bodies[1].reject(new Error('cut off'));
      expect((await Promise.allSettled(reading)).map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
      ]);
      expect(await read('one', sent, async () => 'fourth')).toBe('fourth');
      expect(await read('one', sent, async () => 'fifth')).toBe('fifth');
    },
  );
});
