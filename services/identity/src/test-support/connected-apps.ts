import { createAccessToken, digestSecret, identity, newId, type RequestOf } from '@tds/contracts';
import { testContext as context } from '@tds/kit/testing';
import { CLIENT_ADDRESS } from './sign-in-requests.ts';
import type { TestIdentity } from './start-identity.ts';

type Holder = Pick<Awaited<ReturnType<TestIdentity['signUp']>>, 'accountId' | 'sessionDigest'>;
type Create = RequestOf<typeof identity.createConnection>;
type Save = RequestOf<typeof identity.saveGrantRecord>;

/** The gateway's calls about connected apps. */
export const createAppClient = (running: TestIdentity) => {
  const connect = async ({ accountId, sessionDigest }: Holder, more: Partial<Create> = {}) => {
    const grantId = newId();
    const app = { name: 'An assistant', host: 'app.example' };
    const who = { accountId, sessionDigest, clientAddress: CLIENT_ADDRESS };
    const request: Create = { ...who, grantId, app, scopes: ['read', 'fetch'], dailyCreditCap: 5, ...more };
    const { connection } = await running.call(identity.createConnection, request, context());
    return { ...connection, grantId: request.grantId };
  };

  const newRequest = (kind: Save['kind'], id: string, more: Partial<Save> = {}): Save => ({
    ...{ kind, digest: digestSecret(id), payload: '{}', grantId: null, lifeSeconds: 3_600 },
    ...{ clientAddress: CLIENT_ADDRESS, clientDigest: null, ...more },
  });

  const save = (kind: Save['kind'], id: string, more: Partial<Save> = {}) =>
    running.call(identity.saveGrantRecord, newRequest(kind, id, more), context());
  const find = async (kind: Save['kind'], id: string) =>
    (await running.call(identity.findGrantRecord, { kind, digest: digestSecret(id) }, context())).found;
  /** Uses a code or a refresh token, as a gateway does. Resolves to the digest of the access token; null if it is refused. */
  const use = async (
    { grantId }: { readonly grantId: string },
    [used, next]: readonly [string, string],
    kind: Save['kind'] = 'RefreshToken',
  ): Promise<string | null> => {
    const token = createAccessToken();
    const made = [
      newRequest('RefreshToken', next, { grantId, lifeSeconds: 7_776_000 }),
      newRequest('AccessToken', token, { grantId, scope: 'read' }),
    ];
    const request = { used: { kind, digest: digestSecret(used) }, made };
    const { isIssued } = await running.call(identity.issueTokens, request, context());
    return isIssued ? digestSecret(token) : null;
  };

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

  return { connect, save, find, use, issue, end, list };
};
