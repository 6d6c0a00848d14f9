import { type ChangedBy, identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import {
  askForSessionKey,
  callRoute,
  createAnswers,
  createSecrets,
  type Input,
  onRoute,
  type RouteDeps,
  replayHeaders,
} from '../serve/index.ts';

type KeyInput = Pick<Input<typeof routes.createKey>, 'principal' | 'clientAddress' | 'idempotencyKey'>;

/** The account, and who acts. */
const toActor = ({ principal, clientAddress }: KeyInput): { accountId: string; by: ChangedBy } => ({
  accountId: principal.accountId,
  by: { keyId: principal.keyId, personId: principal.personId, clientAddress },
});

/** The secrets of a new key, or those of the request that this one repeats. */
const findSecrets = (
  { config }: Pick<RouteDeps, 'config'>,
  { principal: { accountId, keyId: actingKeyId }, idempotencyKey }: KeyInput,
  operation: string,
) => createSecrets(config.replaySecret.reveal(), { accountId, actingKeyId, operation, idempotencyKey });

const createKey = onRoute(routes.createKey, async (deps, input) => {
  const { name, daily_credit_cap: dailyCreditCap = null } = input.body;
  const { secretFields, getSecret } = findSecrets(deps, input, 'create-key');
  const request = { ...toActor(input), name, dailyCreditCap, ...secretFields };
  const { key, replay } = await deps.call(identity.createKey, request, input.callContext);
  return createAnswers(routes.createKey).json(
    { key: { ...key, secret: getSecret({ key, replay }) } },
    { headers: replayHeaders(replay !== undefined) },
  );
});

/** A key that another replay secret made is replaced, once. */
const createDashboardKey = onRoute(routes.createDashboardKey, async (deps, input) => {
  const first = await askForSessionKey(deps, input);
  const { key, secret } =
    first.secret === undefined ? await askForSessionKey(deps, input, first.key.id) : first;
  // Another gateway, with another replay secret, replaced it meanwhile.
  if (secret === undefined) throw serviceError('service_unavailable');
  return createAnswers(routes.createDashboardKey).json({ key: { ...key, secret } });
});

const rotateKey = onRoute(routes.rotateKey, async (deps, input) => {
  const { name, daily_credit_cap: dailyCreditCap } = input.body;
  const { keyId } = input.params;
  const { secretFields, getSecret } = findSecrets(deps, input, `rotate-key ${keyId}`);
  const request = { ...toActor(input), keyId, name, dailyCreditCap, ...secretFields };
  const { key, replaced, replay } = await deps.call(identity.rotateKey, request, input.callContext);
  return createAnswers(routes.rotateKey).json(
    { key: { ...key, secret: getSecret({ key, replay }) }, replaced },
    { headers: replayHeaders(replay !== undefined) },
  );
});

const revokeKey = callRoute(routes.revokeKey, {
  request: ({ body }) => ({ graceHours: body.grace_period_hours }),
});

export const keyRoutes = { createKey, createDashboardKey, revokeKey, rotateKey };
