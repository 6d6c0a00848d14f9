import { randomBytes, randomUUID } from 'node:crypto';
import { createApiKey, digestSecret, displayPrefix, FREE_CREDITS_PER_MONTH, type Tier } from '@tds/contracts';
import type { Servers } from '@tds/local';
import { createVault } from '../../../../../services/identity/src/domain/vault.ts';
import { queryAs } from './databases.ts';

export type Account = { readonly id: string; readonly keyId: string; readonly key: string };

/** Older than every limit on new accounts. */
const CREATED_DAYS_AGO = 60;
const NONCE_BYTES = 12;

/** Writes accounts with a key each into the databases, because sign-ups by mail would take too long. Every check applies to them. */
export async function seedAccounts(
  servers: Servers,
  tier: Tier,
  count: number,
  credits = FREE_CREDITS_PER_MONTH,
): Promise<Account[]> {
  const vault = createVault(servers.secretOf('identity pepper'));
  const accounts = Array.from({ length: count }, () => ({
    id: randomUUID(),
    keyId: randomUUID(),
    key: createApiKey(),
  }));
  const ids = accounts.map(({ id }) => id);
  await queryAs(
    servers,
    'identity',
    `INSERT INTO accounts (id, email, mailbox, status, tier, created_at)
     SELECT id, id || '@bench.example', id || '@bench.example', 'active', $2, now() - $3 * interval '1 day'
     FROM unnest($1::uuid[]) AS id`,
    [ids, tier, CREATED_DAYS_AGO],
  );
  const keys = accounts.map(({ keyId, key }) => {
    const digest = digestSecret(key);
    const encrypted = vault.encrypt(digest, keyId, randomBytes(NONCE_BYTES));
    return {
      prefix: displayPrefix(key),
      keyed: Buffer.from(vault.keyedDigest(digest)),
      encrypted: Buffer.from(encrypted),
    };
  });
  await queryAs(
    servers,
    'identity',
    `INSERT INTO api_keys (id, account_id, name, prefix, keyed_digest, sealed_digest, slot, created_at)
     SELECT key_id, account_id, 'bench', prefix, keyed, encrypted, 0, now()
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::bytea[])
       AS key (key_id, account_id, prefix, keyed, encrypted)`,
    [
      accounts.map(({ keyId }) => keyId),
      ids,
      keys.map(({ prefix }) => prefix),
      keys.map(({ keyed }) => keyed),
      keys.map(({ encrypted }) => encrypted),
    ],
  );
  await openLedgerAccounts(servers, ids, credits);
  return accounts;
}

/** Opens accounts by the ledger's functions, and grants `purchased` credits if they exceed the month's free ones. */
export async function openLedgerAccounts(
  servers: Servers,
  accountIds: readonly string[],
  purchased = 0,
): Promise<void> {
  const open = 'SELECT open_account(id, now()) FROM unnest($1::uuid[]) AS id';
  await queryAs(servers, 'credits-ledger', open, [accountIds]);
  if (purchased <= FREE_CREDITS_PER_MONTH) return;
  const grant = `SELECT grant_credits(
    p_account_id => id, p_ref => 'bench-' || id, p_amount => $2, p_reason => 'bench', p_request_id => 'bench'
  ) FROM unnest($1::uuid[]) AS id`;
  await queryAs(servers, 'credits-ledger', grant, [accountIds, purchased]);
}
