import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
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

  it('is given up when the process ends', async () => {
    const ending = new AbortController();
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const config = {
      apiOrigin: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      secretKey: new Secret('sk_test_hostile'),
      publicUrl: 'http://localhost',
    };
    const asked = codeOf(createProcessor(config, ending.signal).readSession('cs_test'));
    await once(silent, 'connection');
    let connections = 1;
    silent.on('connection', () => {
      connections += 1;
    });
    ending.abort();
    expect(await asked).toBe('payment_request_failed');
    // After a timeout it would have tried again.
    expect(connections).toBe(1);
    silent.close();
  });
});
