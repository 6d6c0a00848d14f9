import request from 'supertest';
import { startTestGateway } from './start-gateway.ts';

/** The time at which usage is read. */
const NOW = new Date('2028-03-01T12:00:00Z');
/** A key that usage may be of. */
export const KEY = '11111111-2222-4333-8444-555555555555';

/** A gateway, a paying account that reads its usage, and what the ledger was asked for it. */
export const startUsageReader = async () => {
  const harness = await startTestGateway({ overrides: { now: () => NOW } });
  const account = await harness.addAccount({ tier: 'paid' });
  return {
    harness,
    account,
    get: (search: string) => request(harness.url).get(`/v1/usage${search}`).set(account.bearer),
    requestsOf: (name: string) =>
      harness.ledger.asked.filter((asked) => asked.name === name).map((asked) => asked.request),
  };
};
export type UsageReader = Awaited<ReturnType<typeof startUsageReader>>;
