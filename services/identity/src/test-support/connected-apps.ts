import { createAccessToken, digestSecret, identity, newId, type RequestOf } from '@tds/contracts';
import { testContext as context } from '@tds/kit/testing';
import { CLIENT_ADDRESS } from './sign-in-requests.ts';
import type { TestIdentity } from './start-identity.ts';

type Holder = Pick<Awaited<ReturnType<TestIdentity['signUp']>>, 'accountId' | 'sessionDigest'>;
type Create = RequestOf<typeof identity.createConnection>;
type Save = RequestOf<typeof identity.saveGrantRecord>;

/** The gateway's calls about connected apps. */
export const appsOf = (running: TestIdentity) => {
  const connect = async ({ accountId, sessionDigest }: Holder, more: Partial<Create> = {}) => {
    const grantId = newId();
    const app = { name: 'An assistant', host: 'app.example' };
    const who = { accountId, sessionDigest, clientAddress: CLIENT_ADDRESS };
    const request: Create = { ...who, grantId, app, scopes: ['read', 'fetch'], dailyCreditCap: 5, ...more };
    const { connection } = await running.call(identity.createConnection, request, context());
    return { ...connection, grantId: request.grantId };
  };

  const save = (kind: Save['kind'], id: string, more: Partial<Save> = {}) => {
    const facts = {
      payload: '{}',
      grantId: null,
      lifeSeconds: 3_600,
      clientAddress: CLIENT_ADDRESS,
      clientDigest: null,
    };
    return running.call(
      identity.saveGrantRecord,
      { kind, digest: digestSecret(id), ...facts, ...more },
      context(),
    );
  };
  const find = async (kind: Save['kind'], id: string) =>
    (await running.call(identity.findGrantRecord, { kind, digest: digestSecret(id) }, context())).found;
  const consume = async (kind: Save['kind'], id: string) =>
    (await running.call(identity.consumeGrantRecord, { kind, digest: digestSecret(id) }, context())).isFirst;

  /** An access token of the connection. */
  const issue = async (grantId: string, lifeSeconds = 3_600): Promise<string> => {
    const token = createAccessToken();
    await save('AccessToken', token, { grantId, lifeSeconds });
    return digestSecret(token);
  };
  const end = ({ accountId }: Holder, connectionId: string, keyId: string | null = null) =>
    running.call(
      identity.endConnection,
      { accountId, connectionId, by: { keyId, clientAddress: CLIENT_ADDRESS } },
      context(),
    );
  const list = async ({ accountId }: Holder) =>
    (await running.call(identity.listConnections, { accountId }, context())).connections;

  return { connect, save, find, consume, issue, end, list };
};
