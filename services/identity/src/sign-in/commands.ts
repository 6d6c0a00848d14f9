import { randomUUID } from 'node:crypto';
import { clientNetwork } from '@tds/base';
import { identity, type RequestOf, SECOND_MS } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { normalizeEmail } from '../domain/email-address.ts';
import {
  codeThrottles,
  deadCodeError,
  deriveSignInCode,
  isRightGuess,
  LOCK_MS,
  refusedCode,
  type Throttle,
  toLockError,
} from '../domain/sign-in-code.ts';
import { findPlaces } from '../store/people.ts';
import { countHits, foreseeHits } from '../store/throttle-windows.ts';
import { transact } from '../store/transact.ts';
import { createDeviceProof, identifyDevice } from './device-proof.ts';
import { countedGuess } from './guesses.ts';
import { isDisposable, signIn } from './sign-in.ts';
import { countGuess, issueChallenge, readDeadCode, readLock } from './store/sign-in-addresses.ts';

/** An existing account may sign in with a disposable address. */
const refuseDisposable = async (deps: Deps, email: string) => {
  if ((await isDisposable(deps, email)) && (await findPlaces(deps.db, email)).length === 0)
    throw serviceError('disposable_email');
};

const waitOf = ({ data }: ServiceError): number => data.retryAfterSeconds ?? 0;

type CodeRequest = { readonly email: string; readonly throttles: readonly Throttle[] };

/** Throws the longer wait of lock and throttles, so that the caller is not rejected again when the lock ends. */
const refuseLocked = async ({ db }: Deps, { email, throttles }: CodeRequest, now: Date) => {
  const stored = await readLock(db, email);
  const lock = stored && toLockError(stored, now);
  if (!lock) return;
  const full = refusedCode(throttles, await foreseeHits(db, throttles, now), now);
  throw full && waitOf(full) > waitOf(lock) ? full : lock;
};

/** Reads accounts for disposable addresses only, so that answer and work reveal no other account. */
export const requestCode = onCommand(identity.requestCode, async (deps: Deps, request) => {
  const email = normalizeEmail(request.email);
  if (email === null) throw serviceError('invalid_email');
  const now = deps.now();
  const device = identifyDevice(deps.vault, email, request.device, now);
  const caller = { network: clientNetwork(request.clientAddress), device };
  const throttles = codeThrottles(email, caller, deps.config.networkLimits);
  if (device === null) await refuseLocked(deps, { email, throttles }, now);
  const refusal = refusedCode(throttles, await countHits(deps.db, throttles, now), now);
  if (refusal) throw refusal;
  await refuseDisposable(deps, email);

  const challengeId = randomUUID();
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    const issued = await issueChallenge(tx, { email, challengeId, passesLock: device !== null }, now);
    // The address was locked since the check above.
    if (!issued) throw serviceError('code_locked', { retryAfterSeconds: LOCK_MS / SECOND_MS });
    await send.enqueue(identity.sendCodeMail, { challengeId });
  });
  return {};
});

type VerifyCodeRequest = RequestOf<typeof identity.verifyCode>;

/**
 * Resolves to the challenge of a right code. Counts and rejects every other code. A wrong code gets the same answer whether or not the
 * address has an account.
 */
const checkGuess = async (deps: Deps, email: string, guess: VerifyCodeRequest, now: Date) => {
  const { codeProof, clientAddress } = guess;
  const device = identifyDevice(deps.vault, email, guess.device, now);
  const counted = { subject: email, codeProof, clientAddress, device };
  const challenge = await countedGuess(deps, counted, now, async () => {
    const found = await countGuess(deps.db, { email, device }, now);
    const id = found?.challengeId ?? randomUUID();
    const expected = deriveSignInCode(deps.vault.codeKey, { challengeId: id, email });
    return isRightGuess(deps.codeMacs, guess, expected) ? found : null;
  });
  const { challengeId } = challenge;
  if (challenge.isCounted) return challengeId;
  const dead = await readDeadCode(deps.db, { email, device, challengeId }, now);
  throw dead ? deadCodeError(dead, now) : serviceError('invalid_code');
};

/** Reveals the account of an address only to callers with the right code. */
export const verifyCode = onCommand(identity.verifyCode, async (deps: Deps, request, context) => {
  const email = normalizeEmail(request.email);
  if (email === null) throw serviceError('invalid_email');
  if (!request.acceptTerms) throw serviceError('terms_required');
  const now = deps.now();
  const challengeId = await checkGuess(deps, email, request, now);
  const { clientAddress, newDeviceDigest: digest } = request;
  const author = { actor: 'holder', requestId: context.requestId, clientAddress } as const;
  const outcome = await transact(deps, author, (transaction) =>
    signIn(deps, transaction, { ...request, email, challengeId }),
  );
  // Thrown after the commit, so that the code stays spent.
  if ('refusal' in outcome) throw outcome.refusal;
  context.record.add({ accountId: outcome.accountId, firstKey: outcome.firstKey !== null });
  return { ...outcome, deviceProof: createDeviceProof(deps.vault.deviceKey, { digest, email }, now) };
});
