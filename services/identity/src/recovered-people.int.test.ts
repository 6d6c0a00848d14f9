import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testContext } from '@tds/kit/testing';
import type { ListenerContext } from '@tds/messaging';
import * as recovery from './recovery.ts';
import { createTestDeps } from './test-support/identity-operations.ts';
import { works } from './test-support/keys-of-account.ts';
import { createPeople } from './test-support/people.ts';
import { startIdentity, type TestIdentity } from './test-support/start-identity.ts';

let running: TestIdentity;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  running = await startIdentity();
  people = createPeople(running);
});
afterAll(() => running?.stop());

const context = () => ({ ...testContext(), requestId: randomUUID() }) as unknown as ListenerContext;
const query = async (text: string, values: unknown[]) => (await running.kit().db.query(text, values)).rows;
const emitted = async (name: string, accountId: string) =>
  (
    await query(
      `SELECT payload FROM messaging.outbox WHERE subject = 'evt.identity.' || $2 || '.v1' AND payload ->> 'accountId' = $1 ORDER BY id`,
      [accountId, name],
    )
  ).map(({ payload }) => payload);

describe('an older copy of the database', () => {
  it('lets no person back who was removed, by a key or an invitation that it still has', async () => {
    const deps = createTestDeps(running);
    const owner = await people.signUp();
    const email = `${randomUUID()}@example.com`;
    const member = await people.join(owner, email);
    const key = await people.createKey(member);
    const invitation = await people.mailedTo(email);
    await people.remove(owner, member.personId, 'end');
    await query(`UPDATE people SET removed_at = NULL, version = 0 WHERE id = $1`, [member.personId]);
    await query(`UPDATE api_keys SET revoke_at = NULL, ended_at_once = false, version = 0 WHERE id = $1`, [
      key.id,
    ]);
    await query(`UPDATE invitations SET used_at = NULL WHERE id = $1`, [invitation.invitationId]);
    expect(await works(running, key.keyDigest)).toBe(true);
    for (const event of await emitted('person-changed', owner.accountId))
      await recovery.personChanged.run(deps, event, context());
    for (const event of await emitted('invitation-ended', owner.accountId))
      await recovery.invitationEnded.run(deps, event, context());
    expect(await works(running, key.keyDigest)).toBe(false);
    await expect(people.accept(invitation)).rejects.toMatchObject({ code: 'code_expired' });
    expect((await people.list(owner)).people).toHaveLength(1);
  });
});
