import { randomBytes } from 'node:crypto';
import { clientNetwork } from '@tds/base';
import { DAY_MS, type GrantRecordKind, identity, newId, type RequestOf, SECOND_MS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { disconnectApp } from '../application/connections.ts';
import { forgetPrincipals } from '../application/forget-principals.ts';
import type { Deps, Transaction } from '../deps.ts';
import { ageOf, isRepeat, refreshThrottle, strangerThrottles } from '../domain/grant-throttles.ts';
import { longestWait } from '../domain/sign-in-code.ts';
import { later } from '../domain/time.ts';
import { lockAccount } from '../store/accounts.ts';
import { findConnectionOfGrant } from '../store/connections.ts';
import type { Db } from '../store/database.ts';
import {
  consumeRecord,
  deleteRecord,
  deleteRecordsOfGrant,
  extendClient,
  findRecord,
  findUse,
  hasRecord,
  lockRecord,
  markRepeat,
  markUse,
  saveRecord,
} from '../store/grant-records.ts';
import { countHits } from '../store/throttle-windows.ts';

/** A code and a refresh token are kept for a day after their end, so that a late second use is seen. */
const keptAfterMs = (kind: GrantRecordKind): number =>
  kind === 'AuthorizationCode' || kind === 'RefreshToken' ? DAY_MS : 0;

type SaveRequest = RequestOf<typeof identity.saveGrantRecord>;

const NONCE_BYTES = 12;

/** Throws `rate_limit` if a network, or all together, make too many records that need no sign-in. */
const limitStrangers = async (
  tx: Db,
  { kind, clientAddress }: Pick<SaveRequest, 'kind' | 'clientAddress'>,
  now: Date,
): Promise<void> => {
  const throttles = strangerThrottles(kind, clientNetwork(clientAddress));
  if (throttles.length === 0) return;
  const wait = longestWait(throttles, await countHits(tx, throttles, now), now);
  if (wait) throw serviceError('rate_limit', { retryAfterSeconds: wait.retryAfterSeconds });
};

/** The encrypted digest of an access token. Throws `invalid_access_token` if its connection has ended meanwhile. */
const sealToken = async (
  { vault }: Pick<Deps, 'vault'>,
  tx: Db,
  { kind, digest, grantId }: Pick<SaveRequest, 'kind' | 'digest' | 'grantId'>,
) => {
  if (kind !== 'AccessToken') return null;
  const connection = grantId === null ? null : await findConnectionOfGrant(tx, grantId);
  if (connection === null) throw serviceError('invalid_access_token');
  return vault.seal(digest, connection.id, randomBytes(NONCE_BYTES));
};

type SaveDeps = Pick<Deps, 'vault' | 'now'>;

const recordId = (
  { vault }: Pick<Deps, 'vault'>,
  { kind, digest }: Pick<SaveRequest, 'kind' | 'digest'>,
) => ({
  ...{ kind, keyedDigest: vault.keyedDigest(digest) },
});

/** An app keeps its id for longer than it works, and never registers again. */
const CLIENT_LIFE_MS = 400 * DAY_MS;

const save = async (deps: SaveDeps, tx: Db, request: SaveRequest): Promise<void> => {
  const { kind, payload, grantId, lifeSeconds, clientDigest, scope = null } = request;
  const now = deps.now();
  const id = recordId(deps, request);
  if (!(await hasRecord(tx, id))) await limitStrangers(tx, request, now);
  const sealedDigest = await sealToken(deps, tx, request);
  const expiresAt = later(now, lifeSeconds * SECOND_MS + keptAfterMs(kind));
  await saveRecord(tx, { ...id, payload, grantId, sealedDigest, scope, expiresAt });
  if (clientDigest !== null)
    await extendClient(tx, deps.vault.keyedDigest(clientDigest), later(now, CLIENT_LIFE_MS));
};

export const saveGrantRecord = onCommand(
  identity.saveGrantRecord,
  async (deps: SaveDeps & Pick<Deps, 'db'>, request) => {
    await deps.db.$transaction((tx) => save(deps, tx, request));
    return {};
  },
);

export const findGrantRecord = onCommand(
  identity.findGrantRecord,
  async ({ db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>, { kind, digest }) => {
    const found = await findRecord(db, { kind, keyedDigest: vault.keyedDigest(digest) }, now());
    return {
      found: found && { payload: found.payload, consumedAt: found.consumedAt?.toISOString() ?? null },
    };
  },
);

/** Ends the connection of a grant, if it has one, and deletes its records. Resolves to the digests that the caller forgets. */
const endGrantOf = async (
  work: Transaction,
  vault: Deps['vault'],
  { grantId, requestId }: { readonly grantId: string; readonly requestId: string },
): Promise<string[]> => {
  const { tx } = work;
  const connection = await findConnectionOfGrant(tx, grantId);
  if (connection === null) {
    await deleteRecordsOfGrant(tx, grantId);
    return [];
  }
  await lockAccount(tx, connection.accountId);
  return disconnectApp(work, vault, connection, { actor: 'app', requestId });
};

type EndedGrant = { readonly grantId: string | null; readonly requestId: string };

/** Ends the connection whose code or token was used twice, and mails its holder. */
const endMisused = async (deps: Deps, { grantId, requestId }: EndedGrant): Promise<void> => {
  if (grantId === null) return;
  const now = deps.now();
  const digests = await deps.messaging.transaction(deps.db, async (tx, send) => {
    const connection = await findConnectionOfGrant(tx, grantId);
    const ended = await endGrantOf({ tx, send, now }, deps.vault, { grantId, requestId });
    if (connection !== null && ended.length > 0) {
      const { accountId, name, host } = connection;
      const notice = { kind: 'app_disconnected', name, host } as const;
      await send.enqueue(identity.sendNotice, { accountId, mailId: newId(), notice });
    }
    return ended;
  });
  await forgetPrincipals(deps, digests);
};

type Use = { readonly answer: 'first' | 'repeat' | 'misuse' | 'unknown'; readonly grantId: string | null };

/** Decides what a use is, and marks it. Uses of one record run in turn, at any number of gateways. */
const takeUse = async (
  deps: Pick<Deps, 'vault' | 'countSecondUse'>,
  tx: Db,
  { used, made }: RequestOf<typeof identity.issueTokens>,
  now: Date,
): Promise<Use> => {
  const id = recordId(deps, used);
  const locked = await lockRecord(tx, id, now);
  const grantId = locked?.grantId ?? null;
  if (locked === null || grantId === null) return { answer: 'unknown', grantId };
  if (locked.consumedAt === null) {
    await markUse(tx, id, { grantId, now, olderEndAt: later(now, DAY_MS) });
    return { answer: 'first', grantId };
  }
  const next = made.find(({ kind }) => used.kind === 'RefreshToken' && kind === 'RefreshToken');
  const found = next === undefined ? null : await findUse(tx, recordId(deps, next));
  const successor = found && { usedAt: found.consumedAt };
  const earlier = { usedAt: locked.consumedAt, repeats: locked.repeats, successor };
  const answer = isRepeat(earlier, now) ? 'repeat' : 'misuse';
  deps.countSecondUse({ age: ageOf(earlier, now), answer });
  if (answer === 'repeat') await markRepeat(tx, id);
  return { answer, grantId };
};

/** Throws `rate_limit` if programs of one connection refresh too often. */
const limitRefreshes = async (tx: Db, grantId: string, now: Date): Promise<void> => {
  const pace = refreshThrottle(grantId);
  const wait = longestWait([pace], await countHits(tx, [pace], now), now);
  if (wait) throw serviceError('rate_limit', { retryAfterSeconds: wait.retryAfterSeconds });
};

export const issueTokens = onCommand(
  identity.issueTokens,
  async (deps: Deps, request, { requestId, record }) => {
    const now = deps.now();
    const { answer, grantId } = await deps.db.$transaction(async (tx) => {
      const use = await takeUse(deps, tx, request, now);
      const isIssued = use.answer === 'first' || use.answer === 'repeat';
      if (!isIssued || use.grantId === null) return use;
      if (request.used.kind === 'RefreshToken') await limitRefreshes(tx, use.grantId, now);
      // The successor of a repeat is there, and may be used.
      const made = request.made.filter(({ kind }) => use.answer === 'first' || kind === 'AccessToken');
      for (const one of made) await save(deps, tx, one);
      return use;
    });
    // In a transaction of its own: a change of the account locks it before the records.
    if (answer === 'misuse') await endMisused(deps, { grantId, requestId });
    record.add({ kind: request.used.kind, answer });
    return { isIssued: answer === 'first' || answer === 'repeat' };
  },
);

/** Of any number of callers one gets true. */
export const consumeGrantRecord = onCommand(
  identity.consumeGrantRecord,
  async (deps: Deps, request, { requestId, record }) => {
    const consumed = await deps.db.$transaction((tx) =>
      consumeRecord(tx, recordId(deps, request), deps.now()),
    );
    const isFirst = consumed?.isFirst === true;
    if (consumed && !isFirst) await endMisused(deps, { grantId: consumed.grantId, requestId });
    record.add({ kind: request.kind, isFirst });
    return { isFirst };
  },
);

export const deleteGrantRecord = onCommand(
  identity.deleteGrantRecord,
  async ({ db, vault }: Pick<Deps, 'db' | 'vault'>, { kind, digest }) => {
    await deleteRecord(db, { kind, keyedDigest: vault.keyedDigest(digest) });
    return {};
  },
);

export const endGrant = onCommand(
  identity.endGrant,
  async (deps: Deps, { grantId }, { requestId, record }) => {
    const now = deps.now();
    const digests = await deps.messaging.transaction(deps.db, (tx, send) =>
      endGrantOf({ tx, send, now }, deps.vault, { grantId, requestId }),
    );
    await forgetPrincipals(deps, digests);
    record.add({ ended: digests.length > 0 });
    return {};
  },
);
