import { clientNetwork } from '@tds/base';
import { serviceError } from '@tds/errors';
import type { Deps } from '../deps.ts';
import { guessThrottles, refusedGuess, type Throttle } from '../domain/sign-in-code.ts';
import { countHits, foreseeHits, uncountHits } from '../store/throttle-windows.ts';

type Guess = {
  /** The address whose code is guessed at. */
  readonly subject: string;
  readonly codeProof: string;
  readonly clientAddress: string;
  /** The name of a known browser, or null. */
  readonly device: string | null;
};

/** A proof that no key of ours verifies is our fault, so it must not count as a wrong guess. */
const refuseUnreadable = ({ codeMacs }: Deps, codeProof: string) => {
  if (codeMacs.knows(codeProof)) return;
  const cause = new Error('KEY_RING lacks the key that the caller signs with');
  throw serviceError('service_unavailable', { cause });
};

/** Resolves to what a right guess finds. Counts a guess before `check` evaluates it, and takes it back if it is right. */
export const countedGuess = async <Found>(
  deps: Deps,
  { subject, codeProof, clientAddress, device }: Guess,
  now: Date,
  check: () => Promise<Found | null>,
): Promise<Found> => {
  refuseUnreadable(deps, codeProof);
  const caller = { network: clientNetwork(clientAddress), device };
  const throttles = guessThrottles(subject, caller, deps.config.networkLimits);
  const refusal = refusedGuess(throttles, await countHits(deps.db, throttles, now), now);
  if (refusal) throw refusal;
  const found = await check();
  if (found === null) throw serviceError('invalid_code');
  await uncountHits(deps.db, throttles, 'guess-lock');
  return found;
};

type LongGuess = { readonly codeProof: string; readonly throttles: readonly Throttle[] };

/** The same for a code that is too long to be guessed: a right one counts nowhere, so that repeats of it lock nobody out. */
export const uncountedGuess = async <Found>(
  deps: Deps,
  { codeProof, throttles }: LongGuess,
  now: Date,
  check: () => Promise<Found | null>,
): Promise<Found> => {
  refuseUnreadable(deps, codeProof);
  const refusal = refusedGuess(throttles, await foreseeHits(deps.db, throttles, now), now);
  if (refusal) throw refusal;
  const found = await check();
  if (found !== null) return found;
  await countHits(deps.db, throttles, now);
  throw serviceError('invalid_code');
};
