import { randomBytes } from 'node:crypto';
import { clientNetwork } from '@tds/base';
import { DAY_MS, type GrantRecordKind, identity, type RequestOf, SECOND_MS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { disconnectApp } from '../application/connections.ts';
import { forgetPrincipals } from '../application/forget-principals.ts';
import type { Deps, Transaction } from '../deps.ts';
import { strangerThrottles } from '../domain/grant-throttles.ts';
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
  hasRecord,
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

export const saveGrantRecord = onCommand(
  identity.saveGrantRecord,
  async (deps: Pick<Deps, 'db' | 'vault' | 'now'>, request) => {
    const { db, vault } = deps;
    const now = deps.now();
    const { kind, digest, payload, grantId, lifeSeconds, clientDigest } = request;
    const id = { kind, keyedDigest: vault.keyedDigest(digest) };
    const expiresAt = later(now, lifeSeconds * SECOND_MS + keptAfterMs(kind));
    await db.$transaction(async (tx) => {
      if (!(await hasRecord(tx, id))) await limitStrangers(tx, request, now);
      const sealedDigest = await sealToken(deps, tx, request);
      await saveRecord(tx, { ...id, payload, grantId, sealedDigest, expiresAt });
      if (clientDigest !== null) await extendClient(tx, vault.keyedDigest(clientDigest), expiresAt);
    });
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

/** Of any number of callers one gets true. */
export const consumeGrantRecord = onCommand(
  identity.consumeGrantRecord,
  async (deps: Deps, { kind, digest }, { requestId, record }) => {
    const now = deps.now();
    const id = { kind, keyedDigest: deps.vault.keyedDigest(digest) };
    const { isFirst, digests } = await deps.messaging.transaction(deps.db, async (tx, send) => {
      const consumed = await consumeRecord(tx, id, now);
      if (consumed?.isFirst === true) return { isFirst: true, digests: [] };
      const grantId = consumed?.grantId ?? null;
      const work = { tx, send, now };
      const ended = grantId === null ? [] : await endGrantOf(work, deps.vault, { grantId, requestId });
      return { isFirst: false, digests: ended };
    });
    await forgetPrincipals(deps, digests);
    record.add({ kind, isFirst });
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
