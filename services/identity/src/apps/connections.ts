import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Connection,
  DAY_MS,
  identity,
  MINUTE_MS,
  type Notice,
  newId,
  type RequestOf,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Transaction } from '../deps.ts';
import { chooseConnectionSlot, NEW_CONNECTIONS_PER_DAY, refusedConnection } from '../domain/key-limits.ts';
import { maySpend, scopesOf, scopeText } from '../domain/principal.ts';
import { earlier } from '../domain/time.ts';
import { addKey, emitAppChanged, emitKeyChangedById, endKey, findConnectionSlots } from '../keys/index.ts';
import { isFirstOfDay, noticeAccount } from '../mails/index.ts';
import { findPeople } from '../store/people.ts';
import { countHits } from '../store/throttle-windows.ts';
import { audit } from '../store/transact.ts';
import type { Surface } from '../surface.ts';
import {
  findConnectionOfApp,
  findConnectionOfGrant,
  findConnections,
  findDeadConnections,
  findTokenDigests,
  insertConnection,
  regrantConnection,
  type StoredConnection,
} from './store/connections.ts';
import { deleteRecordsOfGrant } from './store/grant-records.ts';

/*
 * granted  a person allowed an app: its grant has a code, then tokens. Allowed again, it keeps its id and has the new scopes
 * at work  its tokens are exchanged in turn; an old refresh token or a code that comes twice ends it
 * ended    by its holder, by the app, with the person or the account, or 90 days after its last use. Its key ends with it,
 *          what it has begun pauses, and it is not seen again
 */

export const toConnection = (stored: StoredConnection): Connection => ({
  id: stored.id,
  app: { name: stored.name, host: stored.host },
  scopes: scopesOf(stored.scope),
  daily_credit_cap: maySpend(stored.scope) ? stored.dailyCreditCap : null,
  created_at: stored.createdAt.toISOString(),
  last_used_at: stored.lastUsedAt?.toISOString() ?? null,
  person_id: stored.personId ?? stored.accountId,
});

const DIGEST_BYTES = 32;
/** It names the key for operators. */
const PREFIX = 'svc_conn_';
const PREFIX_LENGTH = 12;

type Owner = { readonly accountId: string; readonly personId: string };

const shareOf = async ({ tx, now }: Transaction, { accountId, personId }: Owner) => {
  const people = await findPeople(tx, accountId);
  const owners = new Set(people.flatMap(({ id, role }) => (role === 'owner' ? id : [])));
  const holders = (await findConnections(tx, accountId, now)).map((one) => one.personId ?? accountId);
  return {
    own: holders.filter((id) => id === personId).length,
    hasOthers: people.length > 1,
    ofMembers: owners.has(personId) ? 0 : holders.filter((id) => !owners.has(id)).length,
  };
};

/** The slot of one more connection. Throws `connection_limit`. Requires the account's lock. */
const takeSlot = async (transaction: Transaction, owner: Owner) => {
  const { tx, now } = transaction;
  const slots = await findConnectionSlots(tx, owner.accountId, now);
  const refusal = refusedConnection(slots, await shareOf(transaction, owner));
  if (refusal) throw refusal;
  const limit = NEW_CONNECTIONS_PER_DAY;
  const throttle = { scope: 'connections', subject: owner.personId, limit, windowMs: DAY_MS };
  const [hit] = await countHits(tx, [throttle], now);
  if ((hit?.hits ?? 0) > limit)
    throw serviceError('connection_limit', {
      message: `A person connects at most ${limit} apps within 24 hours. Wait.`,
      retryAfterSeconds: 86_400,
    });
  return chooseConnectionSlot(slots);
};

type NewConnection = Omit<RequestOf<typeof identity.createConnection>, 'sessionDigest'> & {
  readonly personId: string;
};

/** Ends connections that no one will use again, with a mail. Requires the account's lock. */
export const endUnused = async (
  transaction: Transaction<Surface>,
  connections: readonly StoredConnection[],
) => {
  const { requestId } = transaction.author;
  for (const connection of connections) {
    await disconnectApp({ ...transaction, author: { actor: 'service', requestId } }, connection);
    await mailDisconnected(transaction, connection, 'app');
  }
};

/** The library makes the code a moment after the connection. */
const CODE_TIME_MS = 10 * MINUTE_MS;
const usedAt = ({ lastUsedAt, createdAt }: StoredConnection): number => (lastUsedAt ?? createdAt).getTime();

/** At the limit, ends what cannot work again, or else the person's longest unused connection of an app of the same name and host. */
const makeRoom = async (transaction: Transaction<Surface>, request: NewConnection) => {
  const { tx, now } = transaction;
  const { accountId, personId, app } = request;
  const slots = await findConnectionSlots(tx, accountId, now);
  if (!refusedConnection(slots, await shareOf(transaction, request))) return;
  const dead = await findDeadConnections(tx, { accountId, unusedSince: earlier(now, CODE_TIME_MS), now });
  const same = (await findConnections(tx, accountId, now))
    .filter((one) => one.name === app.name && one.host === app.host && (one.personId ?? accountId) === personId)
    .sort((one, other) => usedAt(one) - usedAt(other));
  await endUnused(transaction, dead.length > 0 ? dead : same.slice(0, 1));
};

/** The app has signed in again: it keeps its work, place and day, and may do what its holder has allowed now. */
const reconnectApp = async (
  transaction: Transaction<Surface>,
  earlier: StoredConnection,
  { grantId, scopes, dailyCreditCap }: NewConnection,
) => {
  const { tx, now } = transaction;
  const { id, accountId, name, host } = earlier;
  const scope = scopeText(scopes);
  const cap = dailyCreditCap ?? earlier.dailyCreditCap; // what it has begun goes on
  const granted = { grantId, scope, dailyCreditCap: cap };
  await regrantConnection(tx, earlier, granted, now);
  await emitKeyChangedById(transaction, id);
  await emitAppChanged(transaction, id, await findTokenDigests(tx, grantId));
  await audit(transaction, { action: 'key-updated', accountId, keyId: id, detail: `again: ${scope}` });
  const isSame = scope === earlier.scope && cap === earlier.dailyCreditCap;
  const notice: Notice = {
    kind: 'app_connected',
    name,
    host,
    scopes: [...scopes],
    dailyCreditCap: maySpend(scope) ? cap : null,
  };
  const about = earlier.personId ?? accountId;
  if (!isSame) await noticeAccount(transaction, { accountId, mailId: newId(), notice, about });
  return { ...earlier, ...granted };
};

/** Connects an app to a locked account, once for each grant, and once for each person, client and host. No one knows a secret of its key: it works by access tokens alone. */
export const connectApp = async (
  transaction: Transaction<Surface>,
  request: NewConnection,
): Promise<StoredConnection> => {
  const { tx, now } = transaction;
  const { accountId, personId, grantId, app, scopes, dailyCreditCap } = request;
  const existing = await findConnectionOfGrant(tx, grantId);
  if (existing?.accountId === accountId) return existing;
  const known = await findConnectionOfApp(tx, { accountId, personId, grantId, host: app.host }, now);
  if (known) return reconnectApp(transaction, known, request);
  await makeRoom(transaction, request);
  const slot = await takeSlot(transaction, request);
  const id = randomUUID();
  const scope = scopeText(scopes);
  const secret = {
    keyDigest: randomBytes(DIGEST_BYTES).toString('hex'),
    keyPrefix: (PREFIX + id).slice(0, PREFIX_LENGTH),
  };
  const fields = { id, accountId, personId, name: app.name, dailyCreditCap, slot, scope };
  await addKey(transaction, { ...fields, ...secret });
  await insertConnection(tx, { id, grantId, host: app.host });
  const detail = `connects ${app.host}: ${scope}`;
  await audit(transaction, { action: 'key-created', accountId, keyId: id, detail });
  return { ...fields, grantId, host: app.host, createdAt: now, lastUsedAt: null };
};

/** Ends a connection with its tokens, and with its work unless `atOnce` is false. Resolves to the digests that the caller forgets. */
export const disconnectApp = async (
  transaction: Transaction,
  { id: keyId, accountId, grantId }: StoredConnection,
  atOnce = true,
): Promise<string[]> => {
  const { tx, send, vault } = transaction;
  await deleteRecordsOfGrant(tx, grantId);
  const keyDigest = await endKey(transaction, { keyId, atOnce });
  if (keyDigest === null) return [];
  const tokens = (await findTokenDigests(tx, grantId)).map((encrypted) => vault.decrypt(encrypted, keyId));
  // Gateways know the key by the tokens that they have seen.
  for (const digest of tokens)
    await send.emit(identity.keyRevoked, { accountId, keyId, keyDigest: digest, atOnce });
  return [keyDigest, ...tokens];
};

/** Mails an end by misuse always, and others once a day: the dashboard lists them. */
export const mailDisconnected = async (
  transaction: Transaction<Surface>,
  { accountId, personId, name, host }: StoredConnection,
  by: 'holder' | 'app' | 'misuse',
) => {
  const notice: Notice = { kind: 'app_disconnected', name, host, by };
  const about = personId ?? accountId;
  const { tx, now } = transaction;
  if (by === 'misuse' || (await isFirstOfDay(tx, accountId, notice.kind, now)))
    await noticeAccount(transaction, { accountId, mailId: newId(), notice, about });
};
