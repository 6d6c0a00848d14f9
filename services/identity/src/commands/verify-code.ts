import { serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { normalizeEmail } from '../domain/email-address.ts';
import { deadCode, refusedGuess } from '../domain/guess-rules.ts';
import { deriveSignInCode, isSameCode, signInCodePattern } from '../domain/sign-in-code.ts';
import { countGuess, readGuessCount, uncountGuess } from '../store/sign-in-addresses.ts';
import type { IdentityHandlers } from '../surface.ts';
import { signIn } from './verify-code/sign-in.ts';

/** The challenge that the code is right for. Throws for every other code, having counted the guess. */
const challengeOf = async (
  deps: Deps,
  guess: { email: string; code: string },
  now: Date,
): Promise<string> => {
  const { email, code } = guess;
  // Cannot be right, so it is no guess.
  if (!signInCodePattern.test(code)) throw serviceError('invalid_code');
  const challenge = await countGuess(deps.db, email, now);
  if (!challenge) throw refusedGuess(await readGuessCount(deps.db, email), now);
  const { challengeId } = challenge;
  if (!isSameCode(code, deriveSignInCode(deps.vault.codeKey, { challengeId, email }))) {
    throw serviceError('invalid_code');
  }
  const dead = deadCode(challenge, now);
  if (dead) {
    await uncountGuess(deps.db, email, challengeId);
    throw dead;
  }
  return challengeId;
};

/** Only who knows the code learns anything about the account behind the address. */
export const verifyCode =
  (deps: Deps): IdentityHandlers['commands']['verify-code'] =>
  async (request, context) => {
    const email = normalizeEmail(request.email);
    if (email === null) throw serviceError('invalid_email');
    if (!request.acceptTerms) throw serviceError('terms_required');
    const now = deps.now();
    const challengeId = await challengeOf(deps, { email, code: request.code }, now);
    const given = { ...request, email, challengeId, requestId: context.requestId };
    const outcome = await deps.messaging.transaction(deps.db, (tx, send) =>
      signIn({ deps, tx, send, now }, given),
    );
    // Refused only now, so that the code stays spent.
    if ('refusal' in outcome) throw outcome.refusal;
    context.record.add({ accountId: outcome.accountId, firstKey: outcome.firstKey !== null });
    return outcome;
  };
