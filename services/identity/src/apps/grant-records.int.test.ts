import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProjection } from '@tds/base/testing';
import { digestSecret, identity, newId } from '@tds/contracts';
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

const HOUR_MS = 3_600_000;
const projected = (keyDigest: string) => readProjection(running.kit().redis, identity.principal, [keyDigest]);

describe('records of the authorization server', () => {
  it('an access token ends at its time, also for gateways that know it', async () => {
    const { grantId } = await apps.connect(await running.signUp());
    const token = await apps.issue(grantId, 60);
    expect(await works(running, token)).toBe(true);
    await eventually(async () => expect(await projected(token)).not.toBeNull());
    expect(await running.kit().redis.pttl(identity.principal.key(token))).toBeLessThanOrEqual(60_000);
    running.clock.advance(60_000);
    expect(await works(running, token)).toBe(false);
  });

  it('are stored without the ids that are secrets', async () => {
    const secret = `refresh-${newId()}`;
    await apps.save('RefreshToken', secret, { payload: '{"scope":"read"}' });
    const { rows } = await running.kit().db.query(`SELECT r::text AS text FROM grant_records r`);
    const text = JSON.stringify(rows);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(digestSecret(secret));
  });

  it('a network makes a hundred clients an hour, and another one goes on', async () => {
    const clientAddress = '198.51.100.7';
    for (let made = 0; made < 100; made += 1) await apps.save('Client', newId(), { clientAddress });
    await expect(apps.save('Client', newId(), { clientAddress })).rejects.toMatchObject({
      code: 'rate_limit',
    });
    await apps.save('Client', newId(), { clientAddress: '192.0.2.7' });
    running.clock.advance(HOUR_MS);
    await apps.save('Client', newId(), { clientAddress });
  });

  it('a client that no one connects is deleted after a day, and one with a refresh token stays', async () => {
    const [unused, used] = [`client-${newId()}`, `client-${newId()}`];
    const day = { lifeSeconds: 86_400, clientAddress: '192.0.2.8' };
    await apps.save('Client', unused, day);
    await apps.save('Client', used, day);
    await apps.save('RefreshToken', newId(), { lifeSeconds: 7_776_000, clientDigest: digestSecret(used) });
    running.clock.advance(25 * HOUR_MS);
    expect(await apps.find('Client', unused)).toBeNull();
    expect(await apps.find('Client', used)).not.toBeNull();
  });
});
