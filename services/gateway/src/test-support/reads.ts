import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import request from 'supertest';
import { startTestGateway, type TestGateway } from './start-gateway.ts';

export const FILE = 'Hello\n\n[00:00] Hello "you"\n';

type Account = Awaited<ReturnType<TestGateway['addAccount']>>;

/** For a file of tests that read transcripts: a gateway, and for each test an account of its own. */
export const setUpReads = () => {
  let harness: TestGateway;
  let account: Account;
  let videos = 0;
  beforeAll(async () => {
    harness = await startTestGateway();
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    account = await harness.addAccount({ tier: 'paid' });
    harness.fetcher.asked.length = 0;
  });
  return {
    get harness() {
      return harness;
    },
    get account() {
      return account;
    },
    get: (path: string) => request(harness.url).get(path).set(account.bearer),
    head: (path: string) => request(harness.url).head(path).set(account.bearer),
    /** A video not read before in this file. */
    freshVideo: () => `video${String(++videos).padStart(6, '0')}`,
  };
};
