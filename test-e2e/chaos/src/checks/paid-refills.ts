import type { Finding } from '@tds/audit';
import type { Resource } from '@tds/simulators/payment';
import type { Harness } from '../harness.ts';

const REFILLS =
  'SELECT account_id AS "accountId", state::text, reason::text FROM refills WHERE account_id = ANY ($1::uuid[])';

type Refill = { readonly accountId: string; readonly state: string; readonly reason: string | null };
type Metadata = Readonly<Record<string, string>>;

/** The payments of refills that have succeeded. */
export const paidRefills = (intents: readonly Resource[]): Resource[] =>
  intents.filter(
    ({ status, metadata }) => status === 'succeeded' && (metadata as Metadata | undefined)?.refill === 'true',
  );

export const toAccountId = ({ metadata }: Resource): string => String((metadata as Metadata).account_id);

const MS = 1_000;
const toMonth = ({ created }: Resource): string =>
  new Date(Number(created) * MS).toISOString().slice(0, 'yyyy-mm'.length);

/**
 * I10: an account is charged as often as it has to be, in no month more often than a person has agreed to, once for each refill; and it goes
 * on being refilled, whatever has died. Whether billing and the ledger have each of these payments, `paid-purchases.ts` and the books say.
 */
export const checkRefills = async ({
  evidence,
  refills,
  system: { payment },
}: {
  readonly evidence: Pick<Harness['evidence'], 'rows'>;
  readonly refills: Harness['refills'];
  readonly system: { readonly payment: Pick<Harness['system']['payment'], 'intents'> };
}): Promise<Finding[]> => {
  const paid = paidRefills(payment.intents());
  const byAccount = Map.groupBy(paid, toAccountId);
  const charges = [...refills].flatMap(([accountId, { least, most }]) => {
    const mine = byAccount.get(accountId) ?? [];
    const months = [...Map.groupBy(mine, toMonth).values()].map(({ length }) => length);
    const found = Math.max(0, ...months);
    if (found >= least && found <= most) return [];
    const about = { invariant: 'I10', subject: `account ${accountId}`, what: 'refills in a month' };
    return [{ ...about, expected: `${least} to ${most}`, found: `${found}` }];
  });
  const purchases = Map.groupBy(paid, ({ metadata }) => (metadata as Metadata).purchase_id);
  const repeated = [...purchases].flatMap(([id, { length }]) => {
    const about = { invariant: 'I10', subject: `refill ${id}`, what: 'payments of a refill' };
    return length === 1 ? [] : [{ ...about, expected: '1', found: `${length}` }];
  });
  const stored = await evidence.rows<Refill>('billing', REFILLS, [[...refills.keys()]]);
  const states = new Map(stored.map((refill) => [refill.accountId, refill]));
  const stopped = [...refills.keys()].flatMap((accountId) => {
    const { state = 'gone', reason = null } = states.get(accountId) ?? {};
    const about = {
      invariant: 'I10',
      subject: `account ${accountId}`,
      what: 'a refill that no person has stopped',
    };
    return state === 'on' ? [] : [{ ...about, expected: 'on', found: `${state}, ${reason}` }];
  });
  return [...charges, ...repeated, ...stopped];
};
