import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import request from 'supertest';
import { startWorld, type World } from './world.ts';

/** Instead of 25 seconds. */
export const COLD_WAIT_MS = 700;
export const FILE = 'Hello\n\n[00:00] Hello "you"\n';

type Account = Awaited<ReturnType<World['addAccount']>>;

/** For a file of tests that read transcripts: a gateway, and for each test an account of its own. */
export const setUpReads = () => {
  let world: World;
  let account: Account;
  let videos = 0;
  beforeAll(async () => {
    world = await startWorld({ overrides: { coldWaitMs: COLD_WAIT_MS } });
  });
  afterAll(() => world?.stop());
  beforeEach(async () => {
    account = await world.addAccount({ tier: 'paid' });
    world.fetcher.asked.length = 0;
  });
  return {
    get world() {
      return world;
    },
    get account() {
      return account;
    },
    get: (path: string) => request(world.url).get(path).set(account.bearer),
    head: (path: string) => request(world.url).head(path).set(account.bearer),
    /** A video that nobody has read before in this file. */
    freshVideo: () => `video${String(++videos).padStart(6, '0')}`,
  };
};
