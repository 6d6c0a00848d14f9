import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createApiKey, digestSecret, identity, serviceError } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import { newBalance, newDelivered, newPrincipal, VIDEO_ID } from '../test-support/builders.ts';
import { startWorld, type World } from '../test-support/world.ts';

const FILE = 'Hello';
let world: World;
const ask = identity.authenticateKey.name;

beforeAll(async () => {
  world = await startWorld();
  await world.cache(newDelivered(FILE), FILE);
});
afterAll(() => world?.stop());
beforeEach(() => world.keepFresh());
afterEach(() => {
  world.identity.commands[ask] = async () => {
    throw serviceError('invalid_api_key');
  };
});

const read = (bearer: { authorization: string }) =>
  request(world.url).get(`/v1/transcript?video_id=${VIDEO_ID}`).set(bearer);

describe('keys', () => {
  it('that the projection does not have are asked for, once for all who wait', async () => {
    const key = createApiKey();
    const principal = newPrincipal();
    world.identity.commands[ask] = async () => principal;
    world.identity.asked.length = 0;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => read({ authorization: `Bearer ${key}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(world.identity.asked).toHaveLength(1);
  });

  it('are not believed to the projection once its owner has fallen silent', async () => {
    const { bearer } = await world.addAccount();
    await world.redis.del(identity.principalsFresh.key());
    expect((await read(bearer)).status).toBe(403);
    await world.keepFresh();
  });

  it('are refused from the moment at which their revocation is told', async () => {
    const { bearer, digest, principal } = await world.addAccount();
    expect((await read(bearer)).status).toBe(200);
    // The projection is left behind on purpose: the fact alone must be enough.
    await world.tell(identity.keyRevoked, {
      accountId: principal.accountId,
      keyId: principal.keyId as string,
      keyDigest: digest,
    });
    await eventually(async () => expect((await read(bearer)).status).toBe(403));
    expect((await read(bearer)).body.code).toBe('invalid_api_key');
  });

  it('have the cap and the state of their newest change from the moment at which it is told', async () => {
    const { bearer, digest, principal } = await world.addAccount();
    let changed = 0;
    const tellChange = () => {
      const { accountId, keyId } = principal as { accountId: string; keyId: string };
      const facts = { keyVersion: ++changed, keyState: 'ending' as const, dailyCreditCap: 3 };
      return world.tell(identity.keyChanged, { accountId, keyId, keyDigest: digest, ...facts });
    };
    const change = () => request(world.url).post('/v1/keys').set(bearer).send({ name: 'x' });
    const capAsked = async () => {
      await request(world.url).get('/v1/transcript?video_id=aaaaaaaaaaa').set(bearer);
      const asked = world.fetcher.asked.findLast(({ name }) => name === 'getTranscript');
      return (asked as { request: { dailyCreditCap: number | null } }).request.dailyCreditCap;
    };
    expect([(await change()).status, await capAsked()]).toEqual([201, null]);
    // The projection is left behind on purpose: the fact alone must be enough.
    await tellChange();
    await eventually(async () => expect(await capAsked()).toBe(3));
    expect((await change()).body.code).toBe('key_is_ending');
  });

  it('of an account that is closed say so at once, of a frozen one still read', async () => {
    const { bearer, principal } = await world.addAccount();
    expect((await read(bearer)).status).toBe(200);
    const { accountId } = principal;
    await world.tell(identity.accountStatusChanged, { accountId, status: 'frozen', version: 2 });
    expect((await read(bearer)).status).toBe(200);
    await world.tell(identity.accountStatusChanged, { accountId, status: 'closed', version: 3 });
    await eventually(async () => expect((await read(bearer)).body.code).toBe('account_closed'));
  });

  it('whose projection is unreadable are asked for', async () => {
    const { bearer, digest, principal } = await world.addAccount();
    await world.redis.set(
      identity.principal.key(digest),
      '{"version":0,"value":{"tier":"paid","accountId":"x"}}',
    );
    world.identity.commands[ask] = async ({ keyDigest }) => {
      if (keyDigest !== digestSecret(bearer.authorization.slice('Bearer '.length)))
        throw new Error('another key');
      return principal;
    };
    expect((await read(bearer)).headers['x-ratelimit-limit']).toBe('60');
  });
});

describe('the balance', () => {
  it('is what can be spent: free and purchased credits, not reserved ones', async () => {
    const { bearer } = await world.addAccount({}, { free: 7, purchased: 20, reserved: 5 });
    expect((await read(bearer)).headers['x-credits-balance']).toBe('27');
  });

  it('is asked of the ledger where Redis does not have it', async () => {
    const { bearer, principal } = await world.addAccount();
    await world.redis.del(`credits-ledger:balance:${principal.accountId}`);
    world.ledger.commands.getBalance = async ({ accountId }) => newBalance(accountId, { free: 42 });
    expect((await read(bearer)).headers['x-credits-balance']).toBe('42');
  });
});
