import {
  availableCredits,
  creditsLedger,
  identity,
  type ReplyOf,
  tierLimits,
  utcDay,
  webhookDispatcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { sessionCookie } from '../../wire/index.ts';
import { createAnswers, type Input, onRoute, publicFields, type RouteDeps } from '../serve/index.ts';
import { putInAccount } from './webhooks.ts';

const { shape } = routes.getAccount.responses[200].schema;

const startOfNextMonth = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number)).toISOString();
};

const toCredits = (balance: ReplyOf<typeof creditsLedger.getBalance>) => ({
  free: balance.free,
  purchased: balance.purchased,
  reserved: balance.reserved,
  available: availableCredits(balance),
  debt: balance.debt,
  free_resets_at: startOfNextMonth(balance.month),
});

/** Combines what identity and the ledger know of one account. */
const getAccount = onRoute(routes.getAccount, async (deps, { principal, credentialDigest, callContext }) => {
  const { call, usage, now, config } = deps;
  const { accountId, keyId, personId } = principal;
  const day = utcDay(now());
  const sessionDigest = keyId === null ? credentialDigest : undefined;
  const [{ account, ownerEmail, person, accounts, keys, mail }, balance, usageOfDay] = await Promise.all([
    call(identity.getAccount, { accountId, keyId, personId, sessionDigest }, callContext),
    call(creditsLedger.getBalance, { accountId }, callContext),
    usage.reportAll().then(() => call(creditsLedger.getDayUsage, { accountId, day }, callContext)),
  ]);
  return createAnswers(routes.getAccount).json({
    account: { ...account, email: ownerEmail ?? account.email },
    ...(person && keyId === null && { person }),
    ...(accounts && { accounts }),
    credits: toCredits(balance),
    usage_today: publicFields(shape.usage_today, { date: day, ...usageOfDay }),
    limits: publicFields(shape.limits, tierLimits[account.tier]),
    keys,
    mail: { ...mail, low_balance_threshold: balance.mailThreshold },
    support_email: config.supportEmail,
  });
});

type AccountInput = Input<typeof routes.deleteFromAccount>;

const deleteAnswers = createAnswers(routes.deleteFromAccount);

const deleteWebhook = async ({ call }: RouteDeps, { principal, body, callContext }: AccountInput) => {
  if (body.confirm !== undefined)
    throw serviceError('unknown_parameter', { message: 'confirm goes with resource=account.' });
  const { accountId, keyId } = principal;
  const { isDeleted } = await call(webhookDispatcher.deleteWebhook, { accountId, keyId }, callContext);
  return deleteAnswers.json({ deleted: isDeleted });
};

const closeAccount = async ({ call, config }: RouteDeps, input: AccountInput) => {
  const { principal, clientAddress, callContext } = input;
  const { confirm } = input.body;
  if (confirm === undefined) throw serviceError('confirmation_required');
  const { accountId, personId } = principal;
  const request = { accountId, personId, confirm, clientAddress };
  const { closedAt } = await call(identity.closeAccount, request, callContext);
  return deleteAnswers.json(
    { account: { id: accountId, status: 'closed', closed_at: closedAt } },
    { headers: { 'Set-Cookie': sessionCookie.end(config.cookieSecure) } },
  );
};

const deleteFromAccount = onRoute(routes.deleteFromAccount, (deps, input) =>
  input.query.resource === 'webhook' ? deleteWebhook(deps, input) : closeAccount(deps, input),
);

export const accountRoutes = { getAccount, putInAccount, deleteFromAccount };
