import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { isDisposable } from '../application/is-disposable.ts';
import type { Deps } from '../deps.ts';
import { normalizeEmail } from '../domain/email-address.ts';

/** Refuses a disposable address also if it has an account: whoever owns that signs in, and a stranger learns nothing. */
export const admitAddress = onCommand(
  identity.admitAddress,
  async (deps: Pick<Deps, 'disposableDomains' | 'mailExchanges'>, request) => {
    const email = normalizeEmail(request.email);
    if (email === null) throw serviceError('invalid_email');
    if (await isDisposable(deps, email)) throw serviceError('disposable_email');
    return {};
  },
);
