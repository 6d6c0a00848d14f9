import { type AccessScope, identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { createAnswers, type Input, onRoute, type RouteDeps } from '../serve/index.ts';

type AnswerInput = Input<typeof routes.answerConnectionRequest>;

const toOauthRequest = (input: Pick<AnswerInput, 'callContext' | 'clientAddress'>) => ({
  ...input.callContext,
  clientAddress: input.clientAddress,
});

const getConnectionRequest = onRoute(routes.getConnectionRequest, async ({ oauth }, input) => {
  const { params, headers } = input;
  const { app, scopes } = await oauth.readRequest(headers, params.appRequestId, toOauthRequest(input));
  return createAnswers(routes.getConnectionRequest).json({ request: { app, scopes: [...scopes] } });
});

/** What an app may spend: nothing if it may only read. Throws `cap_required`. */
const readCap = ({ scopes, daily_credit_cap: cap = null }: AnswerInput['body']): number | null => {
  const spends = scopes.some((scope: AccessScope) => scope !== 'read');
  if (spends && cap === null) throw serviceError('cap_required');
  return spends ? cap : null;
};

const allow = ({ call, oauth }: Pick<RouteDeps, 'call' | 'oauth'>, input: AnswerInput): Promise<string> => {
  const { body, params, headers, principal, clientAddress, callContext } = input;
  const { accountId } = principal;
  const dailyCreditCap = readCap(body);
  return oauth.allow(
    { cookie: headers.cookie, id: params.appRequestId },
    { accountId, scopes: body.scopes },
    ({ grantId, app, scopes }) => {
      const caller = { accountId, sessionDigest: input.credentialDigest, clientAddress };
      const request = { ...caller, grantId, app, scopes: [...scopes], dailyCreditCap };
      return call(identity.createConnection, request, callContext);
    },
    toOauthRequest(input),
  );
};

const answerConnectionRequest = onRoute(routes.answerConnectionRequest, async (deps, input) => {
  const { body, params, headers, principal } = input;
  const { account_id: shown = principal.accountId } = body;
  if (shown !== principal.accountId) throw serviceError('account_changed');
  const address = body.allow
    ? await allow(deps, input)
    : await deps.oauth.refuse(headers, params.appRequestId, toOauthRequest(input));
  return createAnswers(routes.answerConnectionRequest).json({ redirect_to: address });
});

export const connectionRoutes = { getConnectionRequest, answerConnectionRequest };
