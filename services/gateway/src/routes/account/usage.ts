import { creditsLedger, DAY_MS, identity, utcDay, utcDayNumber } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { DEFAULT_LEDGER_ROWS, type ParsedFields, routes, usageRollupsBody } from '@tds/http-api';
import {
  type AnswerTo,
  createAnswers,
  csvPage,
  type Input,
  listPage,
  onRoute,
  type RouteDeps,
} from '../serve/index.ts';
import { refuseFields } from './refuse-fields.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

type UsageQuery = ParsedFields<typeof routes.getUsage.query>;

const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;
const toDay = (number: number): string => utcDay(new Date(number * DAY_MS));

/**
 * The requested UTC days, both included. `to` defaults to today, `from` to thirty days that end with `to`. Throws
 * `invalid_usage_range` and `usage_range_too_large`.
 */
export const readRange = (
  { from, to }: Partial<Pick<UsageQuery, 'from' | 'to'>>,
  now: Date,
): { from: string; to: string } => {
  const last = to === undefined ? utcDayNumber(now) : dayNumber(to);
  const first = from === undefined ? Math.max(0, last - DEFAULT_DAYS + 1) : dayNumber(from);
  if (first > last) throw serviceError('invalid_usage_range');
  if (last - first + 1 > MAX_DAYS) throw serviceError('usage_range_too_large');
  return { from: toDay(first), to: toDay(last) };
};

/** Throws `invalid_usage_format`, or `invalid_ledger_format` for a ledger in another format than JSON. */
export const readFormat = ({ resource, format }: Pick<UsageQuery, 'resource' | 'format'>): 'json' | 'csv' => {
  if (format === 'json') return format;
  if (resource === 'ledger') throw serviceError('invalid_ledger_format');
  if (format === 'csv') return format;
  throw serviceError('invalid_usage_format');
};

const answers = createAnswers(routes.getUsage);

type UsageAnswer = AnswerTo<typeof routes.getUsage>;

type UsageInput = Input<typeof routes.getUsage>;

/** Rollups or the ledger. */
export const getUsage = onRoute(routes.getUsage, (deps, input) =>
  input.query.resource === 'ledger' ? ledger(deps, input) : rollups(deps, input),
);

/** Identity alone knows keys without use. Throws `key_not_found`, also for other accounts' keys. */
export async function assertOwnKey(
  { call }: Pick<RouteDeps, 'call'>,
  { principal: { accountId }, callContext }: Pick<UsageInput, 'principal' | 'callContext'>,
  keyId: string | null,
  isKnown: boolean,
): Promise<void> {
  if (keyId === null || isKnown) return;
  const { keys } = await call(identity.listKeys, { accountId }, callContext);
  if (!keys.some(({ id }) => id === keyId)) throw serviceError('key_not_found');
}

async function rollups(deps: RouteDeps, input: UsageInput): Promise<UsageAnswer> {
  const { query, principal, callContext } = input;
  refuseFields(query, ['job_id', 'limit', 'offset', 'as_of'], 'is for the ledger: add resource=ledger.');
  const format = readFormat(query);
  const range = readRange(query, deps.now());
  const { accountId } = principal;
  const keyId = query.key_id ?? null;
  await deps.usage.reportAll();
  const request = { accountId, keyId, personId: query.person_id, via: query.via, ...range };
  const { rows, isKnownKey } = await deps.call(creditsLedger.getUsage, request, callContext);
  await assertOwnKey(deps, input, keyId, isKnownKey);
  if (format === 'json') return answers.json({ scope: { account_id: accountId, key_id: keyId }, range, rows });
  const [type, table] = csvPage(usageRollupsBody, { rows });
  return answers.composed(type, table, {
    headers: { 'Content-Disposition': `attachment; filename="usage_${range.from}_${range.to}.csv"` },
  });
}

async function ledger(deps: RouteDeps, input: UsageInput): Promise<UsageAnswer> {
  const { query, principal, callContext } = input;
  refuseFields(query, ['from', 'to'], 'is for usage by day: leave resource out.');
  readFormat(query);
  const { accountId } = principal;
  const {
    limit = DEFAULT_LEDGER_ROWS,
    offset = 0,
    key_id: keyId = null,
    job_id: jobId = null,
    as_of: asOf = null,
    person_id: personId,
    via,
  } = query;
  const request = { accountId, keyId, personId, via, jobId, limit, offset, asOf };
  const page = await deps.call(creditsLedger.getLedger, request, callContext);
  const { rows, total, asOf: as_of, seal = null, isKnownKey } = page;
  await assertOwnKey(deps, input, keyId, isKnownKey);
  const filter = { key_id: keyId, person_id: personId, via, job_id: jobId };
  const nextQuery = { resource: 'ledger', ...filter, limit, offset, as_of };
  const list = listPage(routes.getUsage, nextQuery, { count: rows.length, total });
  return answers.json({ rows, ...list, as_of, seal });
}
