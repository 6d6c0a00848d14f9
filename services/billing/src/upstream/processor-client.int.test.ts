import { afterAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@tds/base';
import { hostileAnswers, startHostileServer } from '@tds/bounded-http/testing';
import { codeOf } from '@tds/test-kit';
import { createProcessor } from './processor.ts';

const hostile = await startHostileServer();
afterAll(() => hostile.stop());

describe('a processor whose answer never ends', () => {
  it.each(hostileAnswers)(
    'with %s is given up when the limit of bytes or time is reached, as unreachable',
    async (kind) => {
      const processor = createProcessor({
        apiOrigin: await hostile.serve(kind),
        secretKey: new Secret('sk_test_hostile'),
        publicUrl: 'http://localhost',
      });
      expect(await codeOf(processor.readSession('cs_test'))).toBe('payment_request_failed');
    },
  );
});
