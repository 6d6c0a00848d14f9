import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineContract } from '@tds/contracts';
import { sharedRedisUrl } from '@tds/test-kit';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { decodeProjection, encodeProjection, projectionLua } from './projections.ts';

const { note } = defineContract('status', {
  projections: {
    note: {
      keyParts: ['id'],
      value: z.object({ text: z.string(), count: z.number() }),
      ttlSeconds: 60,
    },
  },
});

describe('a projected value', () => {
  let redis: Redis;
  beforeAll(async () => {
    redis = new Redis(await sharedRedisUrl());
  });
  afterAll(() => redis.quit());

  it('is read by code and by scripts as it was written, whatever text and version', async () => {
    const script = `local text = ARGV[1]
      return { tostring(${projectionLua.versionOf('text')}), ${projectionLua.valueOf('text')}.text }`;
    await fc.assert(
      fc.asyncProperty(
        fc.record({ text: fc.string({ unit: 'grapheme' }), count: fc.integer() }),
        fc.nat(),
        async (value, version) => {
          const text = encodeProjection(value, version);
          expect(decodeProjection(note, text)).toEqual(value);
          expect(await redis.eval(script, 0, text)).toEqual([String(version), value.text]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('has no version for a script if the value only looks like one', async () => {
    const forged = [
      '{"value":{"version":9,"text":""}}',
      ' {"version":9,"value":{}}',
      '9',
      '{"version":-1,"value":{}}',
    ];
    for (const text of forged)
      expect(await redis.eval(`return ${projectionLua.versionOf('ARGV[1]')}`, 0, text)).toBeNull();
  });

  it.each([
    '',
    'null',
    '[]',
    '7',
    '{"version":1}',
    '{"version":1,"value":{"text":1,"count":1}}',
    '{"version":1,"val',
  ])('is absent if Redis has %j', (text) => {
    expect(decodeProjection(note, text)).toBeNull();
  });
});
