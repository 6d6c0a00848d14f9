import { randomBytes } from 'node:crypto';
import { clientNetwork } from '@tds/base';
import {
  DAY_MS,
  type GrantRecordKind,
  HOUR_MS,
  identity,
  MINUTE_MS,
  type RequestOf,
  SECOND_MS,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps, Transaction } from '../deps.ts';
import { longestWait, type Throttle } from '../domain/sign-in-code.ts';
import { later } from '../domain/time.ts';
import { forgetPrincipals } from '../keys/index.ts';
import { lockAccount } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';
import { countHits } from '../store/throttle-windows.ts';
import { transact } from '../store/transact.ts';
import { disconnectApp, mailDisconnected } from './connections.ts';
import { findConnectionOfGrant } from './store/connections.ts';
import {
  deleteRecord,
  deleteRecordsOfGrant,
  extendClient,
  findRecord,
  findUse,
  hasRecord,
  saveRecord,
  takeUse,
} from './store/grant-records.ts';

/** A code and a refresh token are kept for a day after their end, so that a late second use is seen. */
const retentionMs = (kind: GrantRecordKind): number =>
  kind === 'AuthorizationCode' || kind === 'RefreshToken' ? DAY_MS : 0;

type SaveRequest = RequestOf<typeof identity.saveGrantRecord>;
type IssueRequest = RequestOf<typeof identity.issueTokens>;

const NONCE_BYTES = 12;

const ALL = 'all';

/** The limits of records that anyone may make without signing in: clients, and requests of apps. Others have none. */
const anonymousThrottles = (kind: GrantRecordKind, network: string): readonly Throttle[] => {
  if (kind === 'Client')
    return [
      // Servers of an assistant register it for each of its users, all from one network.
      { scope: 'clients-of-network', subject: network, limit: 100, windowMs: HOUR_MS },
      { scope: 'clients', subject: ALL, limit: 10_000, windowMs: DAY_MS },
    ];
  if (kind === 'Interaction')
    return [
      { scope: 'requests-of-network', subject: network, limit: 120, windowMs: HOUR_MS },
      { scope: 'requests', subject: ALL, limit: 20_000, windowMs: HOUR_MS },
    ];
  return [];
};

/** The pace of one connection: many programs that share its tokens, or one in a loop. */
const refreshThrottle = (grantId: string): Throttle => ({
  ...{ scope: 'refreshes-of-connection', subject: grantId, limit: 120, windowMs: HOUR_MS },
});

/** How late a second use comes, for a metric. */
const ageOf = (usedAt: Date, now: Date): 'minute' | 'hour' | 'later' => {
  const ms = now.getTime() - usedAt.getTime();
  if (ms <= MINUTE_MS) return 'minute';
  return ms <= HOUR_MS ? 'hour' : 'later';
};

/** Throws `rate_limit`. */
const throttle = async (tx: Db, throttles: readonly Throttle[], now: Date) => {
  if (throttles.length === 0) return;
  const wait = longestWait(throttles, await countHits(tx, throttles, now), now);
  if (wait) throw serviceError('rate_limit', { retryAfterSeconds: wait.retryAfterSeconds });
};

/** The encrypted digest of an access token. Throws `invalid_access_token` if its connection has ended meanwhile. */
const encryptToken = async (
  { vault }: Deps,
  tx: Db,
  { kind, digest, grantId }: Pick<SaveRequest, 'kind' | 'digest' | 'grantId'>,
) => {
  if (kind !== 'AccessToken') return null;
  const connection = grantId === null ? null : await findConnectionOfGrant(tx, grantId);
  if (connection === null) throw serviceError('invalid_access_token');
  return vault.encrypt(digest, connection.id, randomBytes(NONCE_BYTES));
};

type RecordKey = Pick<SaveRequest, 'kind' | 'digest'>;

const idOf = ({ vault }: Deps, { kind, digest }: RecordKey) => ({
  ...{ kind, keyedDigest: vault.keyedDigest(digest) },
});

/** An app keeps its id for longer than it works, and never registers again. */
const CLIENT_LIFE_MS = 400 * DAY_MS;

const save = async (deps: Deps, tx: Db, request: SaveRequest) => {
  const { kind, payload, grantId, lifeSeconds, clientDigest, scope = null } = request;
  const now = deps.now();
  const id = idOf(deps, request);
  if (!(await hasRecord(tx, id)))
    await throttle(tx, anonymousThrottles(kind, clientNetwork(request.clientAddress)), now);
  const encryptedDigest = await encryptToken(deps, tx, request);
  const expiresAt = later(now, lifeSeconds * SECOND_MS + retentionMs(kind));
  await saveRecord(tx, { ...id, payload, grantId, encryptedDigest, scope, expiresAt });
  if (clientDigest !== null)
    await extendClient(tx, deps.vault.keyedDigest(clientDigest), later(now, CLIENT_LIFE_MS));
};

export const saveGrantRecord = onCommand(identity.saveGrantRecord, async (deps: Deps, request) => {
  await deps.db.$transaction((tx) => save(deps, tx, request));
  return {};
});

export const findGrantRecord = onCommand(identity.findGrantRecord, async (deps: Deps, request) => ({
  found: await findRecord(deps.db, idOf(deps, request), deps.now()),
}));

/** Ends the connection of a grant, if it has one, and deletes its records. Resolves to the digests that the caller forgets. */
const endGrantById = async (transaction: Transaction, grantId: string) => {
  const { tx } = transaction;
  const connection = await findConnectionOfGrant(tx, grantId);
  if (connection === null) {
    await deleteRecordsOfGrant(tx, grantId);
    return [];
  }
  await lockAccount(tx, connection.accountId);
  return disconnectApp(transaction, connection);
};

type EndedGrant = { readonly grantId: string; readonly requestId: string; readonly by: 'app' | 'misuse' };

/** Ends the connection of a grant, and mails its holder. Resolves to whether it had one. */
const endGrantAndMail = async (deps: Deps, { by, grantId, requestId }: EndedGrant) => {
  const digests = await transact(deps, { actor: 'app', requestId }, async (transaction) => {
    const keyDigests = await endGrantById(transaction, grantId);
    const connection = keyDigests.length === 0 ? null : await findConnectionOfGrant(transaction.tx, grantId);
    if (connection !== null) await mailDisconnected(transaction, connection, by);
    return keyDigests;
  });
  await forgetPrincipals(deps, digests);
  return digests.length > 0;
};

/** Resolves to null if the use is neither the first nor a repeat: nothing is saved then. Throws `rate_limit`. */
const useAndSave = async (deps: Deps, tx: Db, { used, made }: IssueRequest) => {
  const now = deps.now();
  const successor = made.find(({ kind }) => kind === 'RefreshToken');
  const next = successor ? idOf(deps, successor) : null;
  const times = { now, olderEndAt: later(now, DAY_MS) };
  const use = await takeUse(tx, idOf(deps, used), { ...times, next: next?.keyedDigest ?? null });
  if (use === null) return null;
  if (used.kind === 'RefreshToken') await throttle(tx, [refreshThrottle(use.grantId)], now);
  const isRepeat = use.repeats > 0;
  for (const one of made) if (one !== successor || !isRepeat) await save(deps, tx, one);
  return use;
};

export const issueTokens = onCommand(
  identity.issueTokens,
  async (deps: Deps, request, { requestId, record }) => {
    const use = await deps.db.$transaction((tx) => useAndSave(deps, tx, request));
    // In a transaction of its own: a change of the account locks it before the records.
    const usedRecord = use ?? (await findUse(deps.db, idOf(deps, request.used)));
    const isIssued = use !== null;
    // A code or a token was used twice.
    if (!isIssued && usedRecord?.usedAt)
      await endGrantAndMail(deps, { grantId: usedRecord.grantId, requestId, by: 'misuse' });
    const answer = isIssued ? 'repeated' : 'ended';
    if (usedRecord?.usedAt && use?.repeats !== 0)
      deps.countSecondUse({ age: ageOf(usedRecord.usedAt, deps.now()), answer });
    record.add({ kind: request.used.kind, isIssued, repeats: use?.repeats ?? null });
    return { isIssued };
  },
);

export const deleteGrantRecord = onCommand(identity.deleteGrantRecord, async (deps: Deps, request) => {
  await deleteRecord(deps.db, idOf(deps, request));
  return {};
});

export const endGrant = onCommand(identity.endGrant, async (deps: Deps, { grantId }, { requestId, record }) => {
  record.add({ ended: await endGrantAndMail(deps, { grantId, requestId, by: 'app' }) });
  return {};
});
