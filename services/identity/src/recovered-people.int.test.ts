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

  /** Hands out events in this order, as tasks that fail are tried again. */
  const replay = async (accountId: string, order: (events: object[]) => object[]) => {
    const deps = createTestDeps(running);
    let left = order(await emitted('person-changed', accountId));
    for (let turn = 0; left.length > 0 && turn < 8; turn += 1) {
      const failed: object[] = [];
      for (const event of left)
        await recovery.personChanged.run(deps, event as never, context()).catch(() => failed.push(event));
      left = failed;
    }
    return left;
  };
  const forget = (personId: string) => query('DELETE FROM people WHERE id = $1', [personId]);
  const rejoin = (personId: string) =>
    query(`UPDATE people SET removed_at = NULL, role = 'owner', version = 0 WHERE id = $1`, [personId]);

  it.each([
    ['in their order', (events: object[]) => events],
    ['backwards', (events: object[]) => events.toReversed()],
  ])('brings back who joined since, so that no account is without an owner: events %s', async (_how, order) => {
    const first = await people.signUp();
    const heir = await people.join(first, `${randomUUID()}@example.com`, 'owner');
    const gone = await people.join(heir, `${randomUUID()}@example.com`);
    await people.remove(heir, gone.personId, 'end');
    await people.remove(heir, first.personId, 'end');
    const second = await people.signUp();
    const head = await people.join(second, `${randomUUID()}@example.com`, 'owner');
    await people.change(head, second.personId, { role: 'member' });
    for (const { personId } of [heir, head, gone]) await forget(personId);
    for (const { personId } of [first, second]) await rejoin(personId);
    await query('UPDATE accounts SET email = $2 WHERE id = $1', [first.accountId, first.email]);
    for (const { accountId } of [first, second]) expect(await replay(accountId, order)).toEqual([]);
    expect((await people.list(heir)).people).toMatchObject([
      { id: heir.personId, email: heir.email, role: 'owner' },
    ]);
    expect((await people.list(head)).people).toMatchObject([
      { id: second.personId, role: 'member' },
      { id: head.personId, email: head.email, role: 'owner' },
    ]);
    expect((await people.signIn(heir.email)).accountId).toBe(first.accountId);
    expect((await people.signIn(first.email)).accountId).not.toBe(first.accountId);
    expect((await people.signIn(head.email)).accountId).toBe(second.accountId);
  });

  it('leaves what a person passed on by leaving with the oldest owner', async () => {
    const owner = await people.signUp();
    const other = await people.join(owner, `${randomUUID()}@example.com`, 'owner');
    const { id } = await people.createKey(other);
    const { id: payingKeyId } = await people.dashboardKey(owner);
    await people.remove(other, other.personId, 'pass_on');
    await query('UPDATE people SET removed_at = NULL, passed_to = NULL, version = 0 WHERE id = $1', [
      other.personId,
    ]);
    expect(await replay(owner.accountId, (events) => events)).toEqual([]);
    expect(await people.phaseOf(owner, id)).toMatchObject({ phase: 'retired', payingKeyId });
  });

  it('keeps the last owner if the event of who joined is lost, and reports it', async () => {
    const owner = await people.signUp();
    const heir = await people.join(owner, `${randomUUID()}@example.com`, 'owner');
    await people.remove(heir, owner.personId, 'end');
    await forget(heir.personId);
    await rejoin(owner.personId);
    const left = await replay(owner.accountId, (events) => events.slice(1));
    expect(left).toMatchObject([{ personId: owner.personId, isRemoved: true }]);
    expect((await people.list(owner)).people).toMatchObject([{ id: owner.personId, role: 'owner' }]);
  });
});
