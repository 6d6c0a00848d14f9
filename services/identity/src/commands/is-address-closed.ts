import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { normalizeEmail } from '../domain/email-address.ts';
import { findStatusByEmail } from '../store/accounts.ts';

export const isAddressClosed = onCommand(
  identity.isAddressClosed,
  async ({ db }: Pick<Deps, 'db'>, request) => {
    const email = normalizeEmail(request.email);
    if (email === null) throw serviceError('invalid_email');
    return { isClosed: (await findStatusByEmail(db, email)) === 'closed' };
  },
);
