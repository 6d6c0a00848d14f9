import { retryConflicts } from '@tds/base';
import {
  availableCredits,
  creditsLedger,
  dailyCapError,
  identity,
  type LineRow,
  newId,
  type OpeningRefusal,
  type ReplyOf,
  type RequestOf,
  transcriptFetcher,
  utcDay,
} from '@tds/contracts';
import { type ServiceError, ServiceError as ServiceErrorClass, serviceError } from '@tds/errors';
import { type Context, crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { type Scope, scopeRefusal, scopesOf } from '../domain/cold-caps.ts';
import { LANES } from '../domain/operation.ts';
import { findLine } from '../store/lines.ts';
import { holdRows, type OpenedRow, openRows, standInLine } from '../store/rows.ts';
import { saveDates } from '../store/transcripts.ts';
import { CREDITS_PER_ROW, type ReservationReply, reserveParts } from './credits.ts';

export type OpenRequest = RequestOf<typeof transcriptFetcher.openLine>;
type OpenLineReply = ReplyOf<typeof transcriptFetcher.openLine>;
type KeyStanding = ReplyOf<typeof identity.getKeyStanding>;

/** An earlier unfinished call is completed first, then this one begins. */
const MAX_ROUNDS = 3;

const refusalOf = (
  { data }: ServiceError,
  more: Partial<Pick<OpeningRefusal, 'required' | 'available' | 'buyUrl'>> = {},
): OpeningRefusal => ({
  code: data.code as OpeningRefusal['code'],
  message: data.message,
  retryAfterSeconds: data.retryAfterSeconds ?? null,
  required: null,
  available: null,
  buyUrl: null,
  ...more,
});

/** Null if jobs of the key may continue. */
const refusedBy = ({ standing, accountStatus }: KeyStanding): OpeningRefusal | null => {
  if (accountStatus === 'frozen') return refusalOf(serviceError('account_frozen'));
  if (accountStatus === 'closed') return refusalOf(serviceError('account_closed'));
  return standing === 'revoked' ? refusalOf(serviceError('key_revoked')) : null;
};

/** Positions of rows already paid for, if this database has lost the job in a restore. */
const paidPositions = async (
  { call }: Deps,
  { lineId, accountId, isForgotten }: OpenRequest,
  context: Context,
): Promise<ReadonlySet<number>> => {
  if (!isForgotten) return new Set();
  const { charged } = await call(creditsLedger.lookUpJob, { accountId, jobId: lineId }, context);
  return new Set(charged.map((part) => part - 1));
};

type LineOpening = {
  readonly request: OpenRequest;
  /** The round of the cold rows, unless an earlier round is unfinished. */
  readonly round: string;
  readonly standing: KeyStanding;
  readonly scopes: readonly Scope[];
  readonly paid: ReadonlySet<number>;
};

/** One statement, which also ends rows that are known. */
const open = ({ sql, now }: Deps, { request, round, scopes, paid }: LineOpening): Promise<OpenedRow[]> => {
  const { lineId, accountId, keyId, language, fallback, format, isAccepted } = request;
  const priced = ({ operationId: id, position, videoId }: LineRow) => {
    const price: 0 | 1 = paid.has(position) ? 0 : CREDITS_PER_ROW;
    return { id, position, videoId, price };
  };
  const head = { lane: LANES.jobs, lineId, isAccepted, accountId, keyId, language, fallback, format };
  const counted = { round, day: utcDay(now()), scopes };
  return retryConflicts(() => openRows(sql, { ...head, ...counted, rows: request.rows.map(priced) }));
};

type HoldResult = { readonly gone: readonly string[]; readonly refusal: OpeningRefusal | null };

const lackOf = (required: number, available: number, buyUrl: string): OpeningRefusal => {
  const extras = { required, available, shortfall: Math.max(0, required - available), buy_url: buyUrl };
  const error = serviceError('insufficient_credits', { extras });
  return refusalOf(error, { required, available, buyUrl });
};

/** Why the ledger does not hold all parts of a round; null if it does. */
const shortageOf = (
  { why, capLeft, buyUrl, held, ...balance }: ReservationReply,
  { required, cap }: { required: number; cap: number | null },
  now: Date,
) => {
  if (why === 'insufficient_credits') {
    // The balance excludes what this round holds.
    const available = availableCredits(balance) + held.length * CREDITS_PER_ROW;
    return lackOf(required, available, buyUrl);
  }
  if (why !== 'daily_credit_cap') return null;
  // Before this round. The cap may have been lowered below the key's usage.
  const left = (capLeft ?? 0) + held.length * CREDITS_PER_ROW;
  const available = Math.max(0, left);
  return refusalOf(dailyCapError({ cap: cap ?? 0, left, required }, now), { required, available });
};

const nothingHeld: HoldResult = { gone: [], refusal: null };
const roundOf = ([first]: readonly OpenedRow[]): string | null => first?.round ?? null;

/**
 * Refuses a new job that the account cannot pay in full, even if a daily cap leaves some rows for later. A repeat skips this: the first
 * call checked before it held credits.
 */
const uncovered = async (
  { call }: Deps,
  { request, round, standing }: LineOpening,
  rows: readonly OpenedRow[],
  context: Context,
): Promise<OpeningRefusal | null> => {
  const refused = rows.filter(({ state }) => state === 'refused');
  const mayBeCut = refused.length > 0 || standing.dailyCreditCap !== null;
  const isRepeat = rows.some(({ state, round: ref }) => state === 'ready' && ref !== round);
  const isBlocked = refused.some(({ full }) => full === 'opening' || full === 'stopped');
  if (request.isAccepted || !mayBeCut || isRepeat || isBlocked) return null;
  const required = refused.length + rows.filter(({ round: ref }) => ref === round).length;
  const { buyUrl, ...balance } = await call(
    creditsLedger.getBalance,
    { accountId: request.accountId },
    context,
  );
  const available = availableCredits(balance) / CREDITS_PER_ROW;
  return available < required ? lackOf(required, available, buyUrl) : null;
};

/** Holds the credits of a round at the ledger. Its paid rows stand in line; the others are gone. */
const hold = async (
  deps: Deps,
  { request, standing }: LineOpening,
  rows: readonly OpenedRow[],
  context: Context,
): Promise<HoldResult> => {
  const { lineId, accountId, keyId, isAccepted } = request;
  const ref = roundOf(rows);
  if (ref === null) return nothingHeld;
  crashPoint('line-opened');
  const parts = rows.flatMap(({ part }) => part ?? []);
  const { limitId, dailyCreditCap } = standing;
  const payer = { ref, accountId, keyId, lineId, requestId: context.requestId };
  const coverage = isAccepted ? ('some' as const) : ('all' as const);
  const asked = { parts, coverage, dailyCreditCap, ...(limitId === null ? {} : { limitId }) };
  let held: readonly number[] = [];
  let refusal: OpeningRefusal | null;
  try {
    const reserved = await reserveParts(deps, payer, asked, context);
    refusal = shortageOf(reserved, { required: parts.length, cap: dailyCreditCap }, deps.now());
    held = reserved.held;
  } catch (error) {
    if (!isRefused(error)) throw error;
    refusal = refusalOf(error);
  }
  crashPoint('line-reserved');
  const ids = rows.map(({ rowId }) => rowId);
  return { gone: await holdRows(deps.sql, { lineId, round: ref, held, rows: ids }), refusal };
};

/** Drops a round without holding credits. */
const letGo = async (
  { sql }: Deps,
  { lineId }: OpenRequest,
  rows: readonly OpenedRow[],
  refusal: OpeningRefusal,
): Promise<HoldResult> => {
  const round = roundOf(rows);
  if (round === null) return { gone: [], refusal };
  const ids = rows.map(({ rowId }) => rowId);
  return { gone: await holdRows(sql, { lineId, round, held: [], rows: ids }), refusal };
};

const isRefused = (error: unknown): error is ServiceError =>
  error instanceof ServiceErrorClass && (error.code === 'account_frozen' || error.code === 'account_closed');

/** The refusal of rows by a cap or a stopped line, before the ledger. */
const refusalOfRows = (rows: readonly OpenedRow[], scopes: readonly Scope[], now: Date) => {
  const refused = rows.find(({ state }) => state === 'refused');
  if (!refused) return null;
  const error =
    refused.full === 'stopped' ? serviceError('job_cancelled') : scopeRefusal(scopes, refused.full, now);
  return refusalOf(error);
};

export const openLine = async (
  deps: Deps,
  request: OpenRequest,
  context: Context,
): Promise<OpenLineReply> => {
  const { lineId, accountId, keyId } = request;
  const standing = await deps.call(identity.getKeyStanding, { accountId, keyId }, context);
  const refused = refusedBy(standing);
  if (refused) return await unopened(deps, request, refused);
  const { tier, accountCreatedAt, limitId } = standing;
  const scopes = scopesOf({ accountId, limitId, tier, accountCreatedAt }, deps.now(), deps.limits);
  const paid = await paidPositions(deps, request, context);
  // Before the rows begin: each date spares its fetch a request to the platform.
  if (request.isAccepted) await saveDates(deps.sql, request.rows);
  for (let times = 0; times < MAX_ROUNDS; times += 1) {
    const asked = { request, round: newId(), standing, scopes, paid };
    const rows = await open(deps, asked);
    const waiting = rows.filter((row) => row.round !== null);
    const lack = await uncovered(deps, asked, rows, context);
    const held = lack ? await letGo(deps, request, waiting, lack) : await hold(deps, asked, waiting, context);
    if (rows.some(({ state, round: ref }) => state === 'ready' && ref === null))
      await standInLine(deps.sql, lineId);
    // Another opening was unfinished; it is completed now.
    if (rows.some(({ state, full }) => state === 'refused' && full === 'opening')) continue;
    offer(deps);
    const refusedRows = rows.filter(({ state }) => state === 'refused').map(({ rowId }) => rowId);
    const line = await findLine(deps.sql, lineId);
    return {
      version: line?.version ?? 0,
      unopened: [...refusedRows, ...held.gone],
      refusal: held.refusal ?? refusalOfRows(rows, scopes, deps.now()),
      hasNews: rows.some(({ state }) => state === 'delivered' || state === 'failed'),
    };
  }
  throw serviceError('service_unavailable', { retryAfterSeconds: 1 });
};

const unopened = async (
  { sql }: Deps,
  { lineId, rows }: OpenRequest,
  refusal: OpeningRefusal,
): Promise<OpenLineReply> => ({
  version: (await findLine(sql, lineId))?.version ?? 0,
  unopened: rows.map(({ operationId }) => operationId),
  refusal,
  hasNews: false,
});

/** Wakes the workers of this process and of others. */
const offer = ({ worker, messaging }: Deps): void => {
  worker.wake(LANES.jobs);
  messaging.hint(transcriptFetcher.rowsReady, { lane: LANES.jobs });
};
