import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createApiKey, creditsLedger, digestSecret, identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import { newBalance, newPrincipal, newTranscript, VIDEO_ID } from '../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

const FILE = 'Hello';
let harness: TestGateway;
const ask = identity.authenticateKey.name;

beforeAll(async () => {
  harness = await startTestGateway();
  await harness.cache(newTranscript(FILE), FILE);
});
afterAll(() => harness?.stop());
beforeEach(() => harness.keepFresh());
afterEach(() => {
  harness.identity.commands[ask] = async () => {
    throw serviceError('invalid_api_key');
  };
});

const read = (bearer: { authorization: string }) =>
  request(harness.url).get(`/v1/transcript?video_id=${VIDEO_ID}`).set(bearer);

describe('keys', () => {
  it('missing in the projection are looked up once for concurrent requests', async () => {
    const key = createApiKey();
    const principal = newPrincipal();
    harness.identity.commands[ask] = async () => principal;
    harness.identity.asked.length = 0;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => read({ authorization: `Bearer ${key}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(harness.identity.asked).toHaveLength(1);
  });

  it('in the projection are not accepted once identity stops refreshing it', async () => {
    const { bearer } = await harness.addAccount();
    await harness.redis.del(identity.principalsFresh.key());
    expect((await read(bearer)).status).toBe(403);
    await harness.keepFresh();
  });

  it('are refused from the broadcast of their revocation on', async () => {
    const { bearer, digest, principal } = await harness.addAccount();
    expect((await read(bearer)).status).toBe(200);
    // The projection is left behind on purpose: the fact alone must be enough.
    await harness.broadcast(identity.keyRevoked, {
      accountId: principal.accountId,
      keyId: principal.keyId as string,
      keyDigest: digest,
      atOnce: true,
    });
    await eventually(async () => expect((await read(bearer)).status).toBe(403));
    expect((await read(bearer)).body.code).toBe('invalid_api_key');
  });

  it('have the cap and state of their newest change from its broadcast on', async () => {
    const { bearer, digest, principal } = await harness.addAccount();
    let changed = 0;
    const tellChange = () => {
      const { accountId, keyId } = principal as { accountId: string; keyId: string };
      const facts = { keyVersion: ++changed, keyState: 'ending' as const, dailyCreditCap: 3 };
      return harness.broadcast(identity.keyChanged, { accountId, keyId, keyDigest: digest, ...facts });
    };
    const change = () => request(harness.url).post('/v1/keys').set(bearer).send({ name: 'x' });
    const capAsked = async () => {
      await request(harness.url).get('/v1/transcript?video_id=aaaaaaaaaaa').set(bearer);
      const asked = harness.fetcher.asked.findLast(({ name }) => name === 'getTranscript');
      return (asked as { request: { dailyCreditCap: number | null } }).request.dailyCreditCap;
    };
    expect([(await change()).status, await capAsked()]).toEqual([201, null]);
    // The projection is left behind on purpose: the fact alone must be enough.
    await tellChange();
    await eventually(async () => expect(await capAsked()).toBe(3));
    expect((await change()).body.code).toBe('key_is_ending');
  });

  it('of a closed account are refused at once; those of a frozen one still read', async () => {
    const { bearer, principal } = await harness.addAccount();
    expect((await read(bearer)).status).toBe(200);
    const { accountId } = principal;
    await harness.broadcast(identity.accountStatusChanged, { accountId, status: 'frozen', version: 2 });
    expect((await read(bearer)).status).toBe(200);
    await harness.broadcast(identity.accountStatusChanged, { accountId, status: 'closed', version: 3 });
    await eventually(async () => expect((await read(bearer)).body.code).toBe('account_closed'));
  });

  it('with an unreadable projection are looked up', async () => {
    const { bearer, digest, principal } = await harness.addAccount();
    await harness.redis.set(
      identity.principal.key(digest),
      '{"version":0,"value":{"tier":"paid","accountId":"x"}}',
    );
    harness.identity.commands[ask] = async ({ keyDigest }) => {
      if (keyDigest !== digestSecret(bearer.authorization.slice('Bearer '.length)))
        throw new Error('another key');
      return principal;
    };
    expect((await read(bearer)).headers['x-ratelimit-limit']).toBe('60');
  });
});

describe('the balance', () => {
  it('has the available credits: free and purchased ones without reserved ones', async () => {
    const { bearer } = await harness.addAccount({}, { free: 7, purchased: 20, reserved: 5 });
    expect((await read(bearer)).headers['x-credits-balance']).toBe('27');
  });

  it('comes from the ledger if Redis lacks it', async () => {
    const { bearer, principal } = await harness.addAccount();
    await harness.redis.del(creditsLedger.balance.key(principal.accountId));
    harness.ledger.commands.getBalance = async ({ accountId }) => newBalance(accountId, { free: 42 });
    expect((await read(bearer)).headers['x-credits-balance']).toBe('42');
  });
});
