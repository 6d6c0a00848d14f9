import {
  availableCredits,
  creditsLedger,
  identity,
  type ReplyOf,
  type TierLimits,
  tierLimits,
  webhookDispatcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { sessionCookie } from '../../wire/index.ts';
import { type BodyAt, createAnswers, type Input, onRoute, type RouteDeps } from '../serve/index.ts';
import { putInAccount } from './webhooks.ts';

const DATE_LENGTH = 'YYYY-MM-DD'.length;

type Body = BodyAt<typeof routes.getAccount>;

const startOfNextMonth = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number)).toISOString();
};

const toCredits = (balance: ReplyOf<typeof creditsLedger.getBalance>): Body['credits'] => ({
  free: balance.free,
  purchased: balance.purchased,
  reserved: balance.reserved,
  available: availableCredits(balance),
  debt: balance.debt,
  free_resets_at: startOfNextMonth(balance.month),
});

const toLimits = (limits: TierLimits): Body['limits'] => ({
  requests_per_minute: limits.requestsPerMinute,
  concurrent_cold_fetches: limits.concurrentColdFetches,
  cold_fetches_per_day: limits.coldFetchesPerDay,
  cache_reads_per_day: limits.cacheReadsPerDay,
  cold_enumerations_per_day: limits.coldEnumerationsPerDay,
  live_keys: limits.liveKeys,
  active_jobs: limits.activeJobs,
  videos_per_job: limits.videosPerJob,
  search_pages_per_day: limits.searchPagesPerDay,
  search_attempts_per_day: limits.searchAttemptsPerDay,
  archive_builds_per_day: limits.archiveBuildsPerDay,
  archive_bytes: limits.archiveBytes,
  monitors: limits.monitors,
});

const toUsage = (date: string, usage: ReplyOf<typeof creditsLedger.getDayUsage>): Body['usage_today'] => ({
  date,
  requests: usage.requests,
  cache_hits: usage.cacheHits,
  cold_deliveries: usage.coldDeliveries,
  job_rows: usage.jobRows,
  search_pages: usage.searchPages,
  failures: usage.failures,
  credits_charged: usage.creditsCharged,
});

/** Combines what identity and the ledger know of one account. */
const getAccount = onRoute(
  routes.getAccount,
  async (
    { call, usage: { reportAll }, now, config }: Pick<RouteDeps, 'call' | 'usage' | 'now' | 'config'>,
    input,
  ) => {
    const { principal, callContext } = input;
    const { accountId, keyId } = principal;
    const day = now().toISOString().slice(0, DATE_LENGTH);
    const [{ account, keys, mail }, balance, usage] = await Promise.all([
      call(identity.getAccount, { accountId, keyId }, callContext),
      call(creditsLedger.getBalance, { accountId }, callContext),
      reportAll().then(() => call(creditsLedger.getDayUsage, { accountId, day }, callContext)),
    ]);
    return createAnswers(routes.getAccount).json({
      account,
      credits: toCredits(balance),
      usage_today: toUsage(day, usage),
      limits: toLimits(tierLimits[account.tier]),
      keys,
      mail: { ...mail, low_balance_threshold: balance.mailThreshold },
      support_email: config.supportEmail,
    });
  },
);

type AccountDeps = Pick<RouteDeps, 'call' | 'config'>;
type AccountInput = Input<typeof routes.deleteFromAccount>;

const deleteAnswers = createAnswers(routes.deleteFromAccount);

const deleteWebhook = async ({ call }: AccountDeps, { principal, body, callContext }: AccountInput) => {
  if (body.confirm !== undefined)
    throw serviceError('unknown_parameter', { message: 'confirm goes with resource=account.' });
  const { accountId, keyId } = principal;
  const { isDeleted } = await call(webhookDispatcher.deleteWebhook, { accountId, keyId }, callContext);
  return deleteAnswers.json({ deleted: isDeleted });
};

const closeAccount = async ({ call, config }: AccountDeps, input: AccountInput) => {
  const { principal, clientAddress, callContext } = input;
  const { confirm } = input.body;
  if (confirm === undefined) throw serviceError('confirmation_required');
  const { accountId } = principal;
  const { closedAt } = await call(identity.closeAccount, { accountId, confirm, clientAddress }, callContext);
  return deleteAnswers.json(
    { account: { id: accountId, status: 'closed', closed_at: closedAt } },
    { headers: { 'Set-Cookie': sessionCookie.end(config.cookieSecure) } },
  );
};

const deleteFromAccount = onRoute(routes.deleteFromAccount, (deps: AccountDeps, input) =>
  input.query.resource === 'webhook' ? deleteWebhook(deps, input) : closeAccount(deps, input),
);

export const accountRoutes = { getAccount, putInAccount, deleteFromAccount };
