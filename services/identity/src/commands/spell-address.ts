import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { normalizeEmail } from '../domain/email-address.ts';

export const spellAddress = onCommand(identity.spellAddress, async (_deps: object, request) => {
  const email = normalizeEmail(request.email);
  if (email === null) throw serviceError('invalid_email');
  return { email };
});
