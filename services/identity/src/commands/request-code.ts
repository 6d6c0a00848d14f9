import { randomUUID } from 'node:crypto';
import { sendCodeMail, serviceError } from '@tds/contracts';
import { clientNetwork } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { codeThrottles, throttled } from '../domain/code-throttles.ts';
import { isDisposableDomain } from '../domain/disposable-domain.ts';
import { domainOf, normalizeEmail } from '../domain/email-address.ts';
import { LOCK_MS, lockOf } from '../domain/guess-rules.ts';
import { SECOND_MS } from '../domain/time.ts';
import { findDevice } from '../operations/find-device.ts';
import { issueChallenge, readLock } from '../store/sign-in-addresses.ts';
import { countHits } from '../store/throttle-windows.ts';
import type { IdentityHandlers } from '../surface.ts';

const acceptableEmail = (text: string, disposableDomains: ReadonlySet<string>): string => {
  const email = normalizeEmail(text);
  if (email === null) throw serviceError('invalid_email');
  if (isDisposableDomain(domainOf(email), disposableDomains)) throw serviceError('disposable_email');
  return email;
};

/** A domain of one's own whose mail goes to a disposable one is disposable, too. */
const refuseAlias = async ({ mailExchanges, disposableDomains }: Deps, email: string): Promise<void> => {
  const hosts = await mailExchanges(domainOf(email));
  if (hosts.some((host) => isDisposableDomain(host, disposableDomains)))
    throw serviceError('disposable_email');
};

/** Never looks at accounts, so that answer and work are the same whoever the address belongs to. */
export const requestCode =
  (deps: Deps): IdentityHandlers['commands']['request-code'] =>
  async (request) => {
    const email = acceptableEmail(request.email, deps.disposableDomains);
    const now = deps.now();
    const device = findDevice(deps, email, request.device, now);
    const passesLock = device !== null;
    const before = await readLock(deps.db, email);
    const lock = before && lockOf(before, now);
    if (lock && !passesLock) throw lock;

    const caller = { network: clientNetwork(request.clientAddress), device };
    const throttles = codeThrottles(email, caller, deps.config.networkLimits);
    const refusal = throttled(throttles, await countHits(deps.db, throttles, now), now);
    if (refusal) throw refusal;
    await refuseAlias(deps, email);

    const challengeId = randomUUID();
    await deps.messaging.transaction(deps.db, async (tx, send) => {
      const issued = await issueChallenge(tx, { email, challengeId, passesLock }, now);
      // Locked since it was read above.
      if (!issued) throw serviceError('code_locked', { retryAfterSeconds: LOCK_MS / SECOND_MS });
      await send.enqueue(sendCodeMail, { challengeId });
    });
    return {};
  };
