import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity, newId } from '@tds/contracts';
import { testContext as context } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { createAppClient } from '../test-support/connected-apps.ts';
import { works } from '../test-support/keys-of-account.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
let apps: ReturnType<typeof createAppClient>;
beforeAll(async () => {
  running = await startIdentity();
  apps = createAppClient(running);
});
afterAll(() => running?.stop());

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A connection with a chain of refresh tokens, none of them used but by `refresh`. */
const connected = async () => {
  const holder = await running.signUp();
  const connection = await apps.connect(holder);
  const chain = Array.from({ length: 5 }, (_, index) => `${index} ${newId()}`);
  const { grantId } = connection;
  await apps.save('RefreshToken', String(chain[0]), { grantId, lifeSeconds: 7_776_000 });
  const refresh = (index: number) => apps.use(connection, [String(chain[index]), String(chain[index + 1])]);
  const lives = async () => (await apps.list(holder)).some(({ id }) => id === connection.id);
  const stored = async () => {
    const sql = `SELECT count(*)::int AS count FROM grant_records WHERE grant_id = $1 AND kind = 'RefreshToken' AND expires_at > $2`;
    const { rows } = await running.kit().db.query(sql, [grantId, running.clock.now()]);
    return (rows as { count: number }[])[0]?.count;
  };
  return { ...{ holder, connection, chain, refresh, lives, stored } };
};
const mailsTo = ({ email }: { readonly email: string }) =>
  running.smtp.mails.filter(({ to, raw }) => to === email && raw.includes('An app was disconnected'));

describe('a refresh token that is used again', () => {
  it('repeats its answer for as long as its successor is unused, because the answer may have been lost', async () => {
    const { refresh, lives, chain } = await connected();
    await refresh(0);
    running.clock.advance(80 * DAY_MS);
    expect(await refresh(0)).not.toBeNull();
    expect(await refresh(1)).not.toBeNull();
    expect(await apps.find('RefreshToken', String(chain[2]))).not.toBeNull();
    expect(await lives()).toBe(true);
  });

  it('ends the connection at once if its successor is used, and the holder reads it', async () => {
    const { holder, refresh, lives, chain } = await connected();
    const token = String(await refresh(0));
    await refresh(1);
    expect(await refresh(0)).toBeNull();
    expect([await works(running, token), await lives()]).toEqual([false, false]);
    expect(await refresh(2)).toBeNull();
    expect(await apps.find('RefreshToken', String(chain[2]))).toBeNull();
    await eventually(() => expect(mailsTo(holder)).toHaveLength(1));
    expect(mailsTo(holder)[0]?.raw.replaceAll('=\r\n', '')).toContain('connect it again in the app');
  });

  it('repeats its answer ten times, and then ends the connection', async () => {
    const { holder, refresh, lives } = await connected();
    for (let use = 0; use <= 10; use += 1) expect([use, await refresh(0)]).toEqual([use, expect.any(String)]);
    expect([await refresh(0), await lives()]).toEqual([null, false]);
    await eventually(() => expect(mailsTo(holder)).toHaveLength(1));
  });

  it('gets the answer of the first use at any number of callers at once', async () => {
    const { refresh, lives, stored } = await connected();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(0)));
    expect(answers).not.toContain(null);
    expect([await stored(), await lives()]).toEqual([2, true]);
  });

  it('is counted by the time since its first use', async () => {
    const scraped = await running.scrape();
    const before = (age: string) => scraped('tds_token_second_uses_total', { age, answer: 'repeated' }) ?? 0;
    const { refresh } = await connected();
    await refresh(0);
    await refresh(0);
    running.clock.advance(2 * MINUTE_MS);
    await refresh(0);
    await eventually(async () => {
      const metric = await running.scrape();
      const repeats = (age: string) => metric('tds_token_second_uses_total', { age, answer: 'repeated' });
      expect([repeats('minute'), repeats('hour')]).toEqual([before('minute') + 1, before('hour') + 1]);
    });
  });
});

describe('tokens of a connection', () => {
  it('are both made and the parent used up, or nothing', async () => {
    const { connection, chain, refresh } = await connected();
    const tooLong = { used: { kind: 'RefreshToken', digest: 'x' }, made: [] } as never;
    await expect(running.call(identity.issueTokens, tooLong, context())).rejects.toBeDefined();
    const foreign = apps.use({ grantId: newId() }, [String(chain[0]), 'unused']);
    await expect(foreign).rejects.toMatchObject({ code: 'invalid_access_token' });
    expect(await apps.find('RefreshToken', 'unused')).toBeNull();
    expect(await refresh(0)).not.toBeNull();
    expect(connection.grantId).not.toBe('');
  });

  it('are stored for a day after the successor is used', async () => {
    const { refresh, stored } = await connected();
    for (const index of [0, 1, 2]) await refresh(index);
    expect(await stored()).toBe(4);
    running.clock.advance(DAY_MS + 1);
    expect(await stored()).toBe(2);
    expect(await refresh(3)).not.toBeNull();
  });

  it('do no more than they say, also if the connection may', async () => {
    const { connection, refresh } = await connected();
    const narrow = await running.call(
      identity.authenticateKey,
      { keyDigest: String(await refresh(0)) },
      context(),
    );
    expect([connection.scopes, narrow.scopes]).toEqual([['read', 'fetch'], ['read']]);
  });

  it('are refreshed at a pace, and a refused refresh uses nothing up', async () => {
    const { connection, chain } = await connected();
    const before = `pace ${newId()} `;
    await apps.save('RefreshToken', `${before}0`, { grantId: connection.grantId });
    for (let index = 0; index < 120; index += 1)
      expect(await apps.use(connection, [`${before}${index}`, `${before}${index + 1}`])).not.toBeNull();
    const refused = apps.use(connection, [String(chain[0]), 'next']);
    await expect(refused).rejects.toMatchObject({ code: 'rate_limit' });
    running.clock.advance(60 * MINUTE_MS);
    expect(await apps.use(connection, [String(chain[0]), 'next'])).not.toBeNull();
  });
});

it('a code is used once by any number of callers, and a second use ends its connection, which the holder reads', async () => {
  const holder = await running.signUp();
  const connection = await apps.connect(holder);
  const code = newId();
  await apps.save('AuthorizationCode', code, { grantId: connection.grantId, lifeSeconds: 60 });
  const use = () => apps.use(connection, [code, `of ${code}`], 'AuthorizationCode');
  const [token, ...others] = (await Promise.all([use(), use(), use(), use()])).filter((one) => one !== null);
  expect([others, await works(running, String(token))]).toEqual([[], false]);
  await eventually(() => expect(mailsTo(holder)).toHaveLength(1));
});
