import {
  type ApiKey,
  type ChangedBy,
  createApiKey,
  digestSecret,
  displayPrefix,
  type keyBody,
  type Principal,
  serviceError,
  uuid,
} from '@tds/contracts';
import type { z } from 'zod';

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

/** Three characters of a prefix are random, so that one of these is new to any account. */
const SECRETS_TO_CHOOSE_FROM = 4;

/** New secrets, of which identity gets digests and prefixes and takes one. It exists only in the answer. */
export const newSecrets = () => {
  const byPrefix = new Map<string, string>();
  while (byPrefix.size < SECRETS_TO_CHOOSE_FROM) {
    const secret = createApiKey();
    byPrefix.set(displayPrefix(secret), secret);
  }
  const secretOf = ({ prefix }: Pick<ApiKey, 'prefix'>): string => byPrefix.get(prefix) as string;
  const [first, ...spares] = [...byPrefix].map(([keyPrefix, secret]) => ({
    ...{ keyPrefix, keyDigest: digestSecret(secret) },
  }));
  return { sent: { ...(first as (typeof spares)[number]), spares }, secretOf };
};

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
