import {
  type ApiKey,
  type ChangedBy,
  type keyBody,
  type Principal,
  serviceError,
  uuid,
} from '@tds/contracts';
import type { z } from 'zod';
import type { RepeatScope } from './key-secrets.ts';

type KeyInput = {
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly clientAddress: string;
};

/** The key that the path names. What cannot be an id answers like an id that nobody has. */
export const keyIdOf = ({ params }: Pick<KeyInput, 'params'>): string => {
  const id = uuid.safeParse(params.keyId);
  if (!id.success) throw serviceError('key_not_found');
  return id.data;
};

/** Whose keys are meant, and who asks. */
export const askerOf = ({ principal, clientAddress }: KeyInput): { accountId: string; by: ChangedBy } => ({
  accountId: principal.accountId,
  by: { keyId: principal.keyId, clientAddress },
});

/** What makes another request a repeat of this one. */
export const scopeOf = (
  { principal, idempotencyKey }: Pick<KeyInput, 'principal'> & Pick<RepeatScope, 'idempotencyKey'>,
  operation: string,
): RepeatScope => ({
  accountId: principal.accountId,
  actingKeyId: principal.keyId,
  operation,
  idempotencyKey,
});

export const toKeyBody = (key: ApiKey): z.input<typeof keyBody> => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  daily_credit_cap: key.dailyCreditCap,
  status: key.status,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  revokes_at: key.revokesAt,
  revoked_at: key.revokedAt,
  replaced_by: key.replacedBy,
});
