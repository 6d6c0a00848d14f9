import { randomUUID } from 'node:crypto';
import { identity, type ServiceError, serviceError } from '@tds/contracts';
import { clientNetwork, onCommand } from '@tds/service-kit';
import { isDisposable } from '../application/is-disposable.ts';
import type { Deps } from '../deps.ts';
import { codeThrottles, refusedCode } from '../domain/code-throttles.ts';
import { nameOfDevice } from '../domain/device-proof.ts';
import { normalizeEmail } from '../domain/email-address.ts';
import { LOCK_MS, lockOf } from '../domain/guess-rules.ts';
import type { Throttle } from '../domain/throttles.ts';
import { SECOND_MS } from '../domain/time.ts';
import { accountExists } from '../store/accounts.ts';
import { issueChallenge, readLock } from '../store/sign-in-addresses.ts';
import { countHits, foreseeHits } from '../store/throttle-windows.ts';

/** An account that is there already signs in, whatever became of the list. */
const refuseDisposable = async (deps: Deps, email: string): Promise<void> => {
  if ((await isDisposable(deps, email)) && !(await accountExists(deps.db, email)))
    throw serviceError('disposable_email');
};

const waitOf = ({ data }: ServiceError): number => data.retryAfterSeconds ?? 0;

type Asked = { readonly email: string; readonly throttles: readonly Throttle[] };

/** Names the longer wait of the two: after the lock has ended, the day's codes must not turn out to be used up. */
const refuseLocked = async ({ db }: Deps, { email, throttles }: Asked, now: Date): Promise<void> => {
  const before = await readLock(db, email);
  const lock = before && lockOf(before, now);
  if (!lock) return;
  const full = refusedCode(throttles, await foreseeHits(db, throttles, now), now);
  throw full && waitOf(full) > waitOf(lock) ? full : lock;
};

/** Looks at accounts for disposable addresses only, so that answer and work are the same whether or not any other one has one. */
export const requestCode = onCommand(identity.requestCode, async (deps: Deps, request) => {
  const email = normalizeEmail(request.email);
  if (email === null) throw serviceError('invalid_email');
  const now = deps.now();
  const device = nameOfDevice(deps.vault, email, request.device, now);
  const caller = { network: clientNetwork(request.clientAddress), device };
  const throttles = codeThrottles(email, caller, deps.config.networkLimits);
  if (device === null) await refuseLocked(deps, { email, throttles }, now);
  const refusal = refusedCode(throttles, await countHits(deps.db, throttles, now), now);
  if (refusal) throw refusal;
  await refuseDisposable(deps, email);

  const challengeId = randomUUID();
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    const issued = await issueChallenge(tx, { email, challengeId, passesLock: device !== null }, now);
    // The lock was set after it was read above.
    if (!issued) throw serviceError('code_locked', { retryAfterSeconds: LOCK_MS / SECOND_MS });
    await send.enqueue(identity.sendCodeMail, { challengeId });
  });
  return {};
});
