import { afterAll, describe, expect, it } from '@jest/globals';
import { hostileAnswers, startHostileServer } from '@tds/bounded-http/testing';
import { startExitGateway } from '@tds/simulators/platform/testing';
import { defaultLimits } from '../config/limits.ts';
import { sendRequest } from './send-request.ts';
import { OpenExit } from './session-pool.ts';

const KIB = 1_024;
const limits = {
  ...defaultLimits,
  ...{ playerBytes: KIB, watchBytes: KIB, pageBytes: KIB, feedBytes: KIB, timedtextBytes: KIB },
};
const hostile = await startHostileServer();
const gateway = await startExitGateway();
afterAll(async () => {
  hostile.stop();
  await gateway.close();
});

describe.each([
  ['itself', { name: 'direct' }],
  ['a proxy', { name: 'proxied', proxyUrl: `http://${gateway.http}` }],
])('a platform that is asked by %s and answers for ever', (_by, exit) => {
  it.each(hostileAnswers)('with %s is given up at the limits', async (kind) => {
    const opened = new OpenExit(exit, limits);
    const target = { origin: await hostile.serve(kind), limits, signal: new AbortController().signal };
    const request = { method: 'GET', path: '/', headers: {}, capBytes: 1_000_000 * KIB } as const;
    await expect(
      sendRequest(opened.sessionFor(''), target, request, { bytes: 0, status: null }),
    ).rejects.toThrow();
    await opened.close();
  });
});
