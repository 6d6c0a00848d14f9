import { type ChangedBy, identity, type Principal } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import {
  callRoute,
  createAnswers,
  createSecrets,
  createSessionSecrets,
  onRoute,
  type RepeatScope,
  type RouteDeps,
} from '../serve/index.ts';

type KeyDeps = Pick<RouteDeps, 'call' | 'config'>;
type KeyInput = { readonly principal: Principal; readonly clientAddress: string };

/** The account, and who acts. */
const toActor = ({ principal, clientAddress }: KeyInput): { accountId: string; by: ChangedBy } => ({
  accountId: principal.accountId,
  by: { keyId: principal.keyId, personId: principal.personId, clientAddress },
});

/** The secrets of a new key, or those of the request that this one repeats. */
const findSecrets = (
  { config }: KeyDeps,
  input: KeyInput & Pick<RepeatScope, 'idempotencyKey'>,
  operation: string,
) => {
  const { accountId, keyId: actingKeyId } = input.principal;
  const scope = { accountId, actingKeyId, operation, idempotencyKey: input.idempotencyKey };
  return createSecrets(config.replaySecret.reveal(), scope);
};

const createKey = onRoute(routes.createKey, async (deps: KeyDeps, input) => {
  const { name, daily_credit_cap: dailyCreditCap = null } = input.body;
  const { secretFields, getSecret, repeatHeaders } = findSecrets(deps, input, 'create-key');
  const request = { ...toActor(input), name, dailyCreditCap, ...secretFields };
  const { key, replay } = await deps.call(identity.createKey, request, input.callContext);
  return createAnswers(routes.createKey).json(
    { key: { ...key, secret: getSecret({ key, replay }) } },
    { headers: repeatHeaders({ replay }) },
  );
});

/** A key that another replay secret made is replaced, once. */
const createDashboardKey = onRoute(routes.createDashboardKey, async ({ call, config }: KeyDeps, input) => {
  const { principal, credentialDigest: sessionDigest, clientAddress, callContext } = input;
  const { accountId } = principal;
  const replaySecret = config.replaySecret.reveal();
  const { secretFields, getSecret } = createSessionSecrets(replaySecret, accountId, sessionDigest);
  const request = { accountId, sessionDigest, clientAddress, ...secretFields };
  const firstReply = await call(identity.createDashboardKey, request, callContext);
  const reply =
    getSecret(firstReply) === undefined
      ? await call(identity.createDashboardKey, { ...request, replaces: firstReply.key.id }, callContext)
      : firstReply;
  const secret = getSecret(reply);
  // Another gateway, with another replay secret, replaced it meanwhile.
  if (secret === undefined) throw serviceError('service_unavailable');
  return createAnswers(routes.createDashboardKey).json({ key: { ...reply.key, secret } });
});

const rotateKey = onRoute(routes.rotateKey, async (deps: KeyDeps, input) => {
  const { name, daily_credit_cap: dailyCreditCap } = input.body;
  const { keyId } = input.params;
  const { secretFields, getSecret, repeatHeaders } = findSecrets(deps, input, `rotate-key ${keyId}`);
  const request = { ...toActor(input), keyId, name, dailyCreditCap, ...secretFields };
  const { key, replaced, replay } = await deps.call(identity.rotateKey, request, input.callContext);
  return createAnswers(routes.rotateKey).json(
    { key: { ...key, secret: getSecret({ key, replay }) }, replaced },
    { headers: repeatHeaders({ replay }) },
  );
});

const updateKey = callRoute(routes.updateKey, {
  request: ({ body: { name, daily_credit_cap: cap } }) => {
    if (name === undefined && cap === undefined) throw serviceError('empty_key_update');
    return {};
  },
});

const revokeKey = callRoute(routes.revokeKey, {
  request: ({ body }) => ({ graceHours: body.grace_period_hours }),
});

export const keyRoutes = { createKey, createDashboardKey, updateKey, revokeKey, rotateKey };
