import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionToken, digestSecret, type Role } from '@tds/contracts';
import { rolesOf, routeErrors, routeTable } from '@tds/http-api';
import { goodRequests } from '@tds/http-api/testing';
import request from 'supertest';
import { newPrincipal, VIDEO_ID } from '../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

const anId = '11111111-2222-4333-8444-555555555555';
const sessions: Readonly<Record<Role, string>> = {
  owner: createSessionToken(),
  member: createSessionToken(),
  billing: createSessionToken(),
};
const keys = new Map<Role, string>();
let harness: TestGateway;
beforeAll(async () => {
  harness = await startTestGateway();
  const principals = new Map(
    Object.entries(sessions).map(([role, token]) => [
      digestSecret(token),
      newPrincipal({ keyId: null, role: role as Role, personId: anId }),
    ]),
  );
  const refuse = harness.identity.commands.authenticateSession;
  harness.identity.commands.authenticateSession = async (asked, context) =>
    principals.get(asked.sessionDigest) ?? refuse(asked, context);
  for (const role of ['owner', 'member', 'billing'] as const)
    keys.set(role, (await harness.addAccount({ tier: 'paid', role, personId: anId })).key);
});
afterAll(() => harness?.stop());

describe.each(['owner', 'member', 'billing'] as const)('a person of the role %s', (role) => {
  it.each(routeTable.filter(({ access }) => access !== 'public').map((row) => [row.id, row] as const))(
    'is let in exactly where the row says so: %s',
    async (id, row) => {
      const facts = { email: 'you@example.com', videoId: VIDEO_ID, accountId: anId };
      const { search = '', body } = goodRequests[id as keyof typeof goodRequests](facts);
      const path = row.path.replace('{videoId}', VIDEO_ID).replace(/\{\w+\}/, anId) + search;
      const asked = request(harness.url)[row.method.toLowerCase() as 'get'](path);
      const headers: Record<string, string> =
        row.access === 'session'
          ? { cookie: `svc_dashboard=${sessions[role]}`, 'x-service-dashboard': '1' }
          : { authorization: `Bearer ${keys.get(role)}` };
      const answer = await (body ? asked.set(headers).send(body) : asked.set(headers));
      const isLetIn = rolesOf(row).includes(role);
      expect([id, answer.body.code === 'role_required']).toEqual([id, !isLetIn]);
      if (isLetIn) return;
      expect(answer.status).toBe(403);
      expect(routeErrors(row)).toContain('role_required');
    },
  );
});

describe('a role', () => {
  it('of billing reads what is used and pays, and of a member does all else', () => {
    const rowsOf = (role: Role) =>
      routeTable.filter((row) => row.access !== 'public' && rolesOf(row).includes(role)).map(({ id }) => id);
    expect(rowsOf('billing').toSorted()).toEqual(
      [
        ...[
          'acceptPurchase',
          'changeMailSettings',
          'checkout',
          'endOtherSessions',
          'endSession',
          'getAccount',
          'getRequest',
        ],
        ...['getUsage', 'listPeople', 'listPurchases', 'listRequests', 'listSessions', 'logout'],
        ...['openPortal', 'removePerson', 'switchAccount'],
        ...['getRefill', 'putRefill', 'endRefill', 'openCardPage'],
      ].toSorted(),
    );
    const members = rowsOf('member');
    expect(
      rowsOf('owner')
        .filter((id) => !members.includes(id))
        .toSorted(),
    ).toEqual([
      'acceptPurchase',
      'changePerson',
      'checkout',
      'endRefill',
      'getRefill',
      'invitePerson',
      'listAudit',
      'nameAccount',
      'openCardPage',
      'openPortal',
      'putRefill',
    ]);
  });
});
