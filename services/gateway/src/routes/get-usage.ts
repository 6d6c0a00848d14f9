import { creditsLedger, identity, routes, serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { ledgerAnswer, rollupsAnswer, type UsageAnswer } from '../usage/usage-answers.ts';
import { formatOf, rangeOf } from '../usage/usage-query.ts';
import { type Input, onRoute } from './route-handler.ts';

type UsageInput = Input<typeof routes.getUsage>;
type Parts = Pick<Deps, 'call' | 'usage' | 'now'>;

/** Rollups, or the ledger. */
export const getUsage = onRoute(routes.getUsage, (parts: Parts, input) =>
  input.query.resource === 'ledger' ? ledger(parts, input) : rollups(parts, input),
);

/** A key without any use yet is known to identity alone. Throws `key_not_found`, also for other accounts' keys. */
async function assertOwned(
  { call }: Parts,
  { principal: { accountId }, callContext }: UsageInput,
  keyId: string | null,
  isKnown: boolean,
): Promise<void> {
  if (keyId === null || isKnown) return;
  const { keys } = await call(identity.listKeys, { accountId }, callContext);
  if (!keys.some(({ id }) => id === keyId)) throw serviceError('key_not_found');
}

async function rollups(parts: Parts, input: UsageInput): Promise<UsageAnswer> {
  const { query, principal, callContext } = input;
  const format = formatOf(query);
  const range = rangeOf(query, parts.now());
  const { accountId } = principal;
  const keyId = query.key_id ?? null;
  await parts.usage.reportAll();
  const usage = await parts.call(creditsLedger.getUsage, { accountId, keyId, ...range }, callContext);
  await assertOwned(parts, input, keyId, usage.isKnownKey);
  return rollupsAnswer(format, usage, { account_id: accountId, key_id: keyId }, range);
}

async function ledger(parts: Parts, input: UsageInput): Promise<UsageAnswer> {
  const { query, principal, callContext } = input;
  formatOf(query);
  const { accountId } = principal;
  const { limit, offset, key_id: keyId = null, job_id: jobId = null, as_of: asOf = null } = query;
  const page = await parts.call(
    creditsLedger.getLedger,
    { accountId, keyId, jobId, limit, offset, asOf },
    callContext,
  );
  await assertOwned(parts, input, keyId, page.isKnownKey);
  return ledgerAnswer(page, { limit, offset, keyId, jobId });
}
