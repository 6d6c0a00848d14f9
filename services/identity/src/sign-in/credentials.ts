import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { isUseWorthMarking, toPhase } from '../domain/api-key.ts';
import { DASHBOARD_SLOT, limitIdOf } from '../domain/key-limits.ts';
import { entryLifeMs, maySpend, toPrincipal } from '../domain/principal.ts';
import {
  createPayingKey,
  type FoundPhase,
  findKeyPhase,
  findLiveKey,
  isUnbounded,
  markKeyUsed,
} from '../keys/index.ts';
import { slideSession } from './session-life.ts';
import { findLiveSession, updateSessionLife } from './store/sessions.ts';

/** Null if Redis is down: nothing is projected then. */
const redisTime = ({ principals }: Deps) => principals.time().catch(() => null);

/** Answers from the database, then projects the answer to Redis for gateways. */
export const authenticateKey = onCommand(identity.authenticateKey, async (deps: Deps, { keyDigest }) => {
  // Read before the database, so that the entry is never newer than its facts.
  const readAfter = await redisTime(deps);
  const now = deps.now();
  const key = await findLiveKey(deps.db, deps.vault.keyedDigest(keyDigest), now);
  if (!key) throw serviceError('invalid_api_key');
  const principal = toPrincipal(key);
  if (readAfter !== null) {
    const lifeMs = entryLifeMs(key.endsAt, now);
    deps.afterAnswer(() => deps.principals.write([{ keyDigest, principal, lifeMs }], readAfter));
  }
  if (isUseWorthMarking(key.lastUsedAt, now)) {
    deps.afterAnswer(() => markKeyUsed(deps.db, key.keyId, now));
  }
  return principal;
});

const noKey = {
  keyId: null,
  keyVersion: 0,
  slot: null,
  dailyCreditCap: null,
  revokeAt: null,
  scope: null,
  isOfSession: false,
} as const;

export const authenticateSession = onCommand(
  identity.authenticateSession,
  async ({ db, vault, now }: Deps, { sessionDigest }) => {
    const at = now();
    const session = await findLiveSession(db, vault.keyedDigest(sessionDigest), at);
    if (!session) throw serviceError('session_required');
    const life = slideSession(session, at);
    if (life) await updateSessionLife(db, session.id, life);
    return toPrincipal({ ...session, ...noKey });
  },
);

/** An app that may spend nothing any more has no work, like one that has ended. */
const keyOf = ({ keyId, revokeAt, endedAtOnce, scope }: FoundPhase) =>
  keyId === null
    ? null
    : { revokeAt, endedAtOnce: endedAtOnce === true || (scope !== null && !maySpend(scope)) };

/** On which key and in which slot the work of a key counts. */
const placeOf = async (deps: Deps, accountId: string, found: FoundPhase, requestId: string) => {
  const { keyId, heirId, slot, payingKeyId, accountStatus } = found;
  if (keyId === null || heirId === null || accountStatus === 'closed') return { slot };
  const payer = payingKeyId ?? (await createPayingKey(deps, { accountId, keyId, heirId }, requestId));
  return { slot: DASHBOARD_SLOT, payingKeyId: payer };
};

/** An unknown account was lost in a restore, so its keys may spend nothing. */
export const getKeyPhase = onCommand(identity.getKeyPhase, async (deps: Deps, request, { requestId }) => {
  const at = deps.now();
  const row = await findKeyPhase(deps.db, request, at);
  if (row === null) throw serviceError('account_closed');
  const { accountStatus, accountName, tier, accountCreatedAt } = row;
  const { dailyCreditCap, isPersonCapped, isPersonRemoved } = row;
  const { slot, ...payer } = await placeOf(deps, request.accountId, row, requestId);
  return {
    accountStatus,
    tier,
    accountCreatedAt: accountCreatedAt.toISOString(),
    phase: request.keyId === null ? 'active' : toPhase(keyOf(row), at),
    limitId: slot === null ? null : limitIdOf({ accountId: request.accountId, tier }, slot),
    dailyCreditCap,
    accountName,
    isPersonCapped,
    isPersonRemoved: request.keyId !== null && isPersonRemoved,
    ...payer,
  };
});

/** Work of a key that was revoked at once is no one's until another key resumes it. */
export const checkOwnWork = onCommand(
  identity.checkOwnWork,
  async ({ db, now }: Deps, { accountId, keyId, begunBy }) => {
    if (await isUnbounded(db, accountId, keyId)) return {};
    const phase = await findKeyPhase(db, { accountId, keyId: begunBy }, now());
    if (phase?.payingKeyId !== keyId || phase.endedAtOnce) throw serviceError('begun_by_another_key');
    return {};
  },
);
