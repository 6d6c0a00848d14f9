import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyRing } from '@tds/base';
import { WEBHOOK_SECRETS } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { KEY_RING } from '@tds/test-kit';
import { reencryptSecrets } from '../schedules.ts';
import { createDatabase, type Database } from '../store/database.ts';
import { sealedSecret, startDispatcher, type TestDispatcher } from '../test-support/start-dispatcher.ts';

const NEW_KEY = 'later:another-key-ring-of-the-tests-0123456789';
let service: TestDispatcher;
let db: Database;
beforeAll(async () => {
  service = await startDispatcher();
  db = createDatabase(service.kit().db);
});
afterAll(async () => {
  await db.$disconnect();
  await service.stop();
});

const createCipher = (ring: string) => keyRing().parse(ring).cipher(WEBHOOK_SECRETS);
const stored = async (accountId: string) =>
  (await service.query<{ sealed: string }>('SELECT sealed FROM secrets WHERE account_id = $1', [accountId]))[0]
    ?.sealed ?? '';

describe('a rotation of the key ring', () => {
  it('encrypts every secret again with the new key, and changes no secret', async () => {
    const accountId = randomUUID();
    const { secret, sealedSecret: sealed } = sealedSecret(accountId);
    await service.put(accountId, { sealedSecret: sealed });
    await reencryptSecrets({ db, cipher: createCipher(`${NEW_KEY},${KEY_RING}`) }, testContext());
    expect(await stored(accountId)).toMatch(/^later\./);
    expect(createCipher(NEW_KEY).decrypt(await stored(accountId), accountId)).toBe(secret);
    const once = await stored(accountId);
    await reencryptSecrets({ db, cipher: createCipher(`${NEW_KEY},${KEY_RING}`) }, testContext());
    expect(await stored(accountId)).toBe(once);
  });
});
