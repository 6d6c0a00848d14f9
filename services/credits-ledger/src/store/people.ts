import type { creditsLedger, identity, KeyKind, PayloadOf, RequestOf } from '@tds/contracts';
import type { Database } from './database.ts';

/** Who has which key. */
type Owners = Pick<Database, 'keyOwner'>;

type CauseFilter = Pick<RequestOf<typeof creditsLedger.getUsage>, 'accountId' | 'keyId' | 'personId' | 'via'>;

/** The keys of which a filter wants rows; null for all. */
export async function filterKeys(
  db: Owners,
  { accountId, keyId, personId, via }: CauseFilter,
): Promise<string[] | null> {
  if (!personId && !via) return keyId === null ? null : [keyId];
  const rows = await db.keyOwner.findMany({
    where: {
      accountId,
      ...(keyId && { keyId }),
      ...(via && { kind: via }),
      // A key without a person is the first person's, whose id is the account's.
      ...(personId && (personId === accountId ? { OR: [{ personId }, { personId: null }] } : { personId })),
    },
    select: { keyId: true },
  });
  return rows.map((row) => row.keyId);
}

type Cause = { readonly person_id: string | null; readonly via: KeyKind | null };
const UNKNOWN: Cause = { person_id: null, via: null };

/** Adds to rows the person and the kind of their keys, if they do not say them. */
export async function withCauses<Row extends { readonly key_id: string | null }>(
  db: Owners,
  rows: readonly Row[],
): Promise<(Row & Cause)[]> {
  const keyIds = [...new Set(rows.flatMap(({ key_id }) => key_id ?? []))];
  const owners = keyIds.length === 0 ? [] : await db.keyOwner.findMany({ where: { keyId: { in: keyIds } } });
  const causes = new Map(
    owners.map(({ keyId, accountId, personId, kind }) => [
      keyId,
      { person_id: personId ?? accountId, via: kind as KeyKind | null },
    ]),
  );
  return rows.map((row) => ({ ...(causes.get(row.key_id ?? '') ?? UNKNOWN), ...row }));
}

/** Ignores versions older than the known one. A removed person has no cap: their work is that of who passed it on. */
export const savePersonCap = (
  db: Pick<Database, '$executeRaw'>,
  cap: PayloadOf<typeof identity.personChanged>,
): Promise<number> =>
  db.$executeRaw`
    INSERT INTO person_caps AS p (account_id, person_id, daily_credit_cap, version)
    VALUES (${cap.accountId}::uuid, ${cap.personId}::uuid, ${cap.isRemoved ? null : cap.dailyCreditCap}::int, ${cap.version}::bigint)
    ON CONFLICT (account_id, person_id) DO UPDATE
    SET daily_credit_cap = excluded.daily_credit_cap, version = excluded.version WHERE p.version < excluded.version`;
