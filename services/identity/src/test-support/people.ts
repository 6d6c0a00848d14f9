import {
  type ChangedBy,
  codeProofText,
  createSessionToken,
  digestSecret,
  displayPrefix,
  identity,
  type Role,
} from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { eventually } from '@tds/test-kit';
import { CLIENT_ADDRESS, codeMacs, newSecrets } from './sign-in-requests.ts';
import type { TestIdentity } from './start-identity.ts';

export type SignedIn = {
  readonly accountId: string;
  readonly personId: string;
  readonly sessionDigest: string;
  readonly email: string;
};

type Invited = { readonly invitationId: string; readonly code: string };

/** What people do in an account, as a gateway sends it. */
export const createPeople = (
  running: TestIdentity,
  context: () => ReturnType<typeof testContext> = testContext,
) => {
  const { call, smtp } = running;
  const byOf = ({ personId }: SignedIn): ChangedBy => ({
    keyId: null,
    personId,
    clientAddress: CLIENT_ADDRESS,
  });
  const signUp = async (email?: string): Promise<SignedIn & { keyId: string; keyDigest: string }> => {
    const account = await running.signUp(email);
    return { ...account, personId: account.accountId };
  };
  const invite = (
    owner: SignedIn,
    email: string,
    role: Role = 'member',
    dailyCreditCap: number | null = null,
  ) =>
    call(
      identity.invitePerson,
      { accountId: owner.accountId, by: byOf(owner), email, role, dailyCreditCap },
      context(),
    );
  /** The last invitation that was mailed to the address. */
  const mailedTo = (email: string): Promise<Invited> =>
    eventually(() => {
      const raw = smtp.mails
        .filter(({ to }) => to === email)
        .map(({ raw: text }) => text.replaceAll('=\n', '').replaceAll('=3D', '='))
        .findLast((text) => text.includes('/dashboard/join?'));
      const invitationId = /\/dashboard\/join\?invitation=([\w-]{36})/.exec(raw ?? '')?.[1];
      const code = /^([2-9A-Z]{4}-){2}[2-9A-Z]{4}$/m.exec(raw ?? '')?.[0];
      if (invitationId === undefined || code === undefined) throw new Error(`no invitation for ${email}`);
      return { invitationId, code: code.replaceAll('-', '') };
    });
  /** In a browser that is signed in, if it has a session. */
  const accept = (
    { invitationId, code }: Invited,
    secrets = newSecrets(),
    { clientAddress = CLIENT_ADDRESS, former }: { clientAddress?: string; former?: string } = {},
  ) => {
    running.clock.advance(1);
    const { sessionDigest } = secrets;
    const newDeviceDigest = digestSecret(createSessionToken());
    const codeProof = codeMacs.sign(
      codeProofText({ email: invitationId, code, sessionDigest, newDeviceDigest }),
    );
    const guess = { invitationId, codeProof, clientAddress, sessionDigest, newDeviceDigest };
    const request = { ...guess, formerSessionDigest: former };
    return call(identity.acceptInvitation, request, context());
  };
  const whoIs = (sessionDigest: string) => call(identity.authenticateSession, { sessionDigest }, context());
  const join = async (owner: SignedIn, email: string, role: Role = 'member'): Promise<SignedIn> => {
    await invite(owner, email, role);
    const secrets = newSecrets();
    const { accountId } = await accept(await mailedTo(email), secrets);
    const { personId = '' } = await whoIs(secrets.sessionDigest);
    return { accountId, personId, sessionDigest: secrets.sessionDigest, email };
  };
  const signIn = async (email: string) => {
    running.clock.advance(1);
    const secrets = newSecrets();
    const reply = await running.verify(email, await running.askForCode(email), secrets);
    return { ...reply, sessionDigest: secrets.sessionDigest };
  };
  /** The subjects of the mails to an address about who is in an account, once each. */
  const peopleMailsTo = (email: string): string[] =>
    smtp.mails
      .filter(({ to }) => to === email)
      .flatMap(
        ({ raw }) => /^Subject: (An owner .*|Your account has .*|You are in an .*)$/m.exec(raw)?.[1] ?? [],
      );
  const phaseOf = ({ accountId }: SignedIn, keyId: string) =>
    call(identity.getKeyPhase, { accountId, keyId }, context());
  return {
    ...{ signUp, invite, mailedTo, accept, whoIs, join, signIn, peopleMailsTo },
    sessions: ({ accountId, sessionDigest }: Pick<SignedIn, 'accountId' | 'sessionDigest'>) =>
      call(identity.listSessions, { accountId, sessionDigest }, context()),
    endOthers: ({ accountId, sessionDigest }: Pick<SignedIn, 'accountId' | 'sessionDigest'>) =>
      call(
        identity.endSessions,
        { accountId, sessionDigest, sessionId: null, clientAddress: CLIENT_ADDRESS },
        context(),
      ),
    list: ({ accountId, personId }: SignedIn) => call(identity.listPeople, { accountId, personId }, context()),
    change: (owner: SignedIn, personId: string, fields: { role?: Role; dailyCreditCap?: number | null }) =>
      call(
        identity.changePerson,
        { accountId: owner.accountId, by: byOf(owner), personId, ...fields },
        context(),
      ),
    remove: (owner: SignedIn, personId: string, work?: 'end' | 'pass_on') =>
      call(identity.removePerson, { accountId: owner.accountId, by: byOf(owner), personId, work }, context()),
    switchTo: ({ accountId, sessionDigest }: SignedIn, toAccountId: string, newSessionDigest: string) =>
      call(
        identity.switchAccount,
        { accountId, sessionDigest, toAccountId, newSessionDigest, clientAddress: CLIENT_ADDRESS },
        context(),
      ),
    account: ({ accountId, personId, sessionDigest }: SignedIn) =>
      call(identity.getAccount, { accountId, keyId: null, personId, sessionDigest }, context()),
    audit: async ({ accountId }: SignedIn) =>
      (await call(identity.listAudit, { accountId, limit: 200, offset: 0 }, context())).entries,
    createKey: async (person: SignedIn, keyId: string | null = null) => {
      const { key, keyDigest } = newSecrets();
      const request = { accountId: person.accountId, by: { ...byOf(person), keyId }, name: 'key' };
      const created = await call(
        identity.createKey,
        { ...request, dailyCreditCap: null, keyDigest, keyPrefix: displayPrefix(key) },
        context(),
      );
      return { ...created.key, keyDigest };
    },
    revokeKey: ({ accountId, ...person }: SignedIn, keyId: string) =>
      call(
        identity.revokeKey,
        { accountId, by: byOf({ accountId, ...person }), keyId, graceHours: 0 },
        context(),
      ),
    dashboardKey: async ({ accountId, sessionDigest }: SignedIn) => {
      const { key, keyDigest } = newSecrets();
      const secret = { keyId: crypto.randomUUID(), keyDigest, keyPrefix: displayPrefix(key) };
      const request = { accountId, sessionDigest, clientAddress: CLIENT_ADDRESS, ...secret };
      const reply = await call(identity.createDashboardKey, request, context());
      return { id: reply.key.id, keyDigest: reply.keyDigest };
    },
    phaseOf,
    phase: async (person: SignedIn, keyId: string) => (await phaseOf(person, keyId)).phase,
  };
};
