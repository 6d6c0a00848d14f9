import { clientNetwork } from '@tds/base';
import { serviceError } from '@tds/errors';
import type { Deps } from '../deps.ts';
import { guessThrottles, refusedGuess } from '../domain/sign-in-code.ts';
import { countHits, uncountHits } from '../store/throttle-windows.ts';

type Guess = {
  /** What is guessed at: an address, or the id of an invitation. */
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
