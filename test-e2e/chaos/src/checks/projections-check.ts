import type { Evidence, Finding } from '@tds/audit';
import { type Balance, creditsLedger } from '@tds/contracts';
import { readText } from '../load/redis-pulse.ts';

type Account = Pick<Balance, 'accountId' | 'free' | 'purchased' | 'reserved' | 'version'>;

const ACCOUNTS = `
  SELECT account_id AS "accountId", free, purchased, reserved, version::int AS version FROM accounts ORDER BY 1`;

const say = ({ free, purchased, reserved, version }: Account): string =>
  `${free} free, ${purchased} purchased, ${reserved} reserved, version ${version}`;

/** A version is one state: another one under its number, or a number that the ledger has not come to, was never true. */
const isFalse = (shown: Account, kept: Account): boolean =>
  shown.version > kept.version || (shown.version === kept.version && say(shown) !== say(kept));

/** I3: what Redis says of balances was committed by the ledger. It may be absent, and behind where Redis was away. */
export const checkProjections = async ({ rows }: Evidence, redisUrl: string): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const kept of await rows<Account>('credits-ledger', ACCOUNTS)) {
    const text = await readText(redisUrl, creditsLedger.balance.key(kept.accountId));
    if (text === null) continue;
    const shown = creditsLedger.balance.value.parse((JSON.parse(text) as { value: unknown }).value);
    if (!isFalse(shown, kept)) continue;
    findings.push({
      invariant: 'I3',
      subject: `account ${kept.accountId}`,
      what: 'balance in Redis',
      expected: `${say(kept)}, or older`,
      found: say(shown),
    });
  }
  return findings;
};
