import { identity, routes, serviceError, webhookDispatcher } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { endedSetCookie } from '../http/session-cookie.ts';
import { answersOf } from './route-answer.ts';
import { type Input, onRoute } from './route-handler.ts';

type Parts = Pick<Deps, 'call' | 'config'>;
type AccountInput = Input<typeof routes.deleteFromAccount>;

const answers = answersOf(routes.deleteFromAccount);

const deleteWebhook = async ({ call }: Parts, { principal, body, callContext }: AccountInput) => {
  if (body.confirm !== undefined)
    throw serviceError('unknown_parameter', { message: 'confirm goes with resource=account.' });
  const { accountId, keyId } = principal;
  const { isDeleted } = await call(webhookDispatcher.deleteWebhook, { accountId, keyId }, callContext);
  return answers.json({ deleted: isDeleted });
};

const closeAccount = async ({ call, config }: Parts, input: AccountInput) => {
  const { principal, clientAddress, callContext } = input;
  const { confirm } = input.body;
  if (confirm === undefined) throw serviceError('confirmation_required');
  const { accountId } = principal;
  const { closedAt } = await call(identity.closeAccount, { accountId, confirm, clientAddress }, callContext);
  return answers.json(
    { account: { id: accountId, status: 'closed', closed_at: closedAt } },
    { headers: { 'Set-Cookie': endedSetCookie(config.cookieSecure) } },
  );
};

export const deleteFromAccount = onRoute(routes.deleteFromAccount, (parts: Parts, input) =>
  input.query.resource === 'webhook' ? deleteWebhook(parts, input) : closeAccount(parts, input),
);
