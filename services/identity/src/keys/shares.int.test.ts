import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_CONNECTIONS } from '@tds/contracts';
import { codeOf } from '@tds/test-kit';
import { CONNECTIONS_OF_MEMBERS, CONNECTIONS_OF_ONE, NEW_KEYS_PER_DAY } from '../domain/key-limits.ts';
import { createAppClient } from '../test-support/connected-apps.ts';
import { createOperations } from '../test-support/identity-operations.ts';
import { createKeyClient } from '../test-support/keys-of-account.ts';
import { createPeople } from '../test-support/people.ts';
import { startIdentity, type TestIdentity } from '../test-support/start-identity.ts';

let running: TestIdentity;
beforeAll(async () => {
  running = await startIdentity();
});
afterAll(() => running?.stop());

describe('a member who uses up all that one person may', () => {
  it('never stops the owner from creating and replacing a key, or from connecting an app', async () => {
    const people = createPeople(running);
    const apps = createAppClient(running);
    const owner = await people.signUp();
    await createOperations(running).setTier(owner.email, 'paid');
    const member = await people.join(owner, `busy-${owner.accountId}@example.com`);
    for (let made = 0; made < NEW_KEYS_PER_DAY; made += 1)
      await people.revokeKey(member, (await people.createKey(member)).id);
    expect(await codeOf(people.createKey(member))).toBe('key_limit');
    const app = (n: number) => ({ app: { name: `App ${n}`, host: 'app.example' } });
    for (let made = 0; made < CONNECTIONS_OF_ONE; made += 1) await apps.connect(member, app(made));
    expect(await codeOf(apps.connect(member, app(CONNECTIONS_OF_ONE)))).toBe('connection_limit');

    await people.createKey(owner);
    const { key } = await createKeyClient(running, owner.accountId).rotate(owner.keyId);
    expect(key.status).toBe('active');
    expect(await codeOf(apps.connect(owner))).toBe('answered');
  });

  it('leaves the owner room to connect, together with all other members', async () => {
    const people = createPeople(running);
    const apps = createAppClient(running);
    const owner = await people.signUp();
    const members = [
      await people.join(owner, `one-${owner.accountId}@example.com`),
      await people.join(owner, `two-${owner.accountId}@example.com`),
    ];
    const app = (n: number) => ({ app: { name: `App ${n}`, host: 'app.example' } });
    const connect = (n: number) => codeOf(apps.connect(members[n % 2] ?? owner, app(n)));
    const outcomes: string[] = [];
    for (let n = 0; n < MAX_CONNECTIONS; n += 1) outcomes.push(await connect(n));
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(CONNECTIONS_OF_MEMBERS);
    expect(outcomes.at(-1)).toBe('connection_limit');
    for (const n of [1, 2]) expect(await codeOf(apps.connect(owner, app(100 + n)))).toBe('answered');
    expect(await codeOf(apps.connect(owner, app(103)))).toBe('connection_limit');
  });

  it('may still replace a key of their own that has leaked', async () => {
    const people = createPeople(running);
    const owner = await people.signUp();
    for (let made = 1; made < NEW_KEYS_PER_DAY; made += 1)
      await people.revokeKey(owner, (await people.createKey(owner)).id);
    expect(await codeOf(people.createKey(owner))).toBe('key_limit');
    const { key } = await createKeyClient(running, owner.accountId).rotate(owner.keyId);
    expect(key.status).toBe('active');
  });
});
