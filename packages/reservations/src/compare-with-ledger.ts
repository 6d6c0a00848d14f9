import {
  creditsLedger,
  type FoundParts,
  MOST_REFS,
  type OpenReservation,
  type RequestOf,
  ServiceError,
  type Surface,
} from '@tds/contracts';
import { type Call, type Context, each, type Log, walk } from '@tds/service-kit';

type Asking = Surface & {
  readonly calls: readonly (
    | typeof creditsLedger.listOpenReservations
    | typeof creditsLedger.lookUpParts
    | typeof creditsLedger.resolveParts
    | typeof creditsLedger.chargeParts
  )[];
};

/** What the ledger is told of parts that it holds. Those that are not named go on being held. */
export type Verdict = { readonly ref: string; readonly charge: number[]; readonly giveBack: number[] };

/** What a holder has delivered for a charge, at a place in the order in which it tells. */
export type Delivery = {
  readonly place: string;
  readonly charge: RequestOf<typeof creditsLedger.chargeParts>;
};

/** A service that holds credits for work of its own. */
export type Holder = {
  readonly call: Call<Asking>;
  readonly log: Log;
  /** What the credits are held for: all of its reservations have it, and no other service's. */
  readonly reason: string;
  /** Younger reservations are left alone; longer than any work goes on without its holder's knowing of it. */
  readonly orphanedAfterMs: number;
  /** What is to be told of what the ledger holds: work that the holder does not know is given back. */
  judge(held: readonly Pick<FoundParts, 'ref' | 'held'>[]): Promise<readonly Verdict[]>;
  /**
   * The next page of what was delivered for a charge in the last eight days and is told to the ledger by now, in an order in which
   * nothing comes later before a place that was told; from the beginning where `after` is null.
   */
  delivered(after: string | null): Promise<readonly Delivery[]>;
  /** The account is closed or frozen: this is charged to nobody, and not asked for again. */
  uncollected(delivery: Delivery): Promise<void>;
};

const giveBackWhatNobodyHas = async (
  { call, log, reason, orphanedAfterMs, judge }: Holder,
  context: Context,
): Promise<void> => {
  const asked = { reason, olderThanMs: orphanedAfterMs, limit: MOST_REFS };
  let told = 0;
  const find = async (after: OpenReservation | null) =>
    (await call(creditsLedger.listOpenReservations, { ...asked, after }, context)).rows;
  const tell = each<Verdict>(async (verdict) => {
    if (verdict.charge.length + verdict.giveBack.length === 0) return;
    await call(creditsLedger.resolveParts, verdict, context);
    told += 1;
  });
  const work = async (page: readonly OpenReservation[]) => {
    const refs = page.map(({ ref }) => ref);
    const { rows } = await call(creditsLedger.lookUpParts, { refs }, context);
    await tell(await judge(rows.filter(({ held }) => held.length > 0)));
  };
  try {
    await walk(find, work, context.signal);
  } finally {
    if (told > 0) log.warn('reservations that had been left open were resolved', { reason, told });
  }
};

/** Parts that the ledger has neither charged nor given back. */
const lostOf = ({ charge }: Delivery, found: ReadonlyMap<string, FoundParts>): number[] => {
  const known = found.get(charge.ref);
  const resolved = new Set([...(known?.charged ?? []), ...(known?.givenBack ?? [])]);
  return charge.parts.filter((part) => !resolved.has(part));
};

const cannotPay = (error: unknown): boolean =>
  error instanceof ServiceError && ['account_closed', 'account_frozen'].includes(error.code);

const chargeAgain = async (
  { call, uncollected }: Holder,
  delivery: Delivery,
  parts: number[],
  context: Context,
): Promise<void> => {
  try {
    await call(creditsLedger.chargeParts, { ...delivery.charge, parts }, context);
  } catch (error) {
    if (!cannotPay(error)) throw error;
    await uncollected(delivery);
  }
};

/** What this process has compared, and with which ledger. */
type Compared = { epoch: string | null; place: string | null };

const chargePage = async (
  holder: Holder,
  page: readonly Delivery[],
  compared: Compared,
  context: Context,
): Promise<number> => {
  const refs = [...new Set(page.map(({ charge }) => charge.ref))];
  const { rows, ledgerEpoch } = await holder.call(creditsLedger.lookUpParts, { refs }, context);
  if (compared.epoch !== null && compared.epoch !== ledgerEpoch) {
    Object.assign(compared, { epoch: ledgerEpoch, place: null });
    return 0;
  }
  compared.epoch = ledgerEpoch;
  const found = new Map(rows.map((row) => [row.ref, row]));
  const lost = page.flatMap((delivery) => {
    const parts = lostOf(delivery, found);
    return parts.length > 0 ? [{ delivery, parts }] : [];
  });
  await each<(typeof lost)[number]>(({ delivery, parts }) => chargeAgain(holder, delivery, parts, context))(
    lost,
  );
  compared.place = page.at(-1)?.place ?? compared.place;
  return lost.length;
};

/** Another ledger than the one that was compared with has taken its place: everything is compared anew. */
const noticeSwap = async ({ call }: Holder, compared: Compared, context: Context): Promise<void> => {
  const { ledgerEpoch } = await call(creditsLedger.lookUpParts, { refs: [] }, context);
  if (compared.epoch !== ledgerEpoch) Object.assign(compared, { epoch: ledgerEpoch, place: null });
};

/**
 * Brings a holder and the ledger together, both ways, after either database was put back to an earlier state: what is held for
 * nobody is given back, and what was delivered for a charge that the ledger has lost is charged again, once. A run goes on where the
 * last one ended; one failure hides no other, and it throws in the end. What is not told in time is told by the next run.
 */
export const compareWithLedger = () => {
  const compared: Compared = { epoch: null, place: null };
  return async (holder: Holder, context: Context): Promise<void> => {
    await giveBackWhatNobodyHas(holder, context);
    await noticeSwap(holder, compared, context);
    let charged = 0;
    try {
      for (let page = await holder.delivered(compared.place); page.length > 0 && !context.signal.aborted; ) {
        charged += await chargePage(holder, page, compared, context);
        page = await holder.delivered(compared.place);
      }
    } finally {
      if (charged > 0) {
        holder.log.warn('what the ledger had lost was charged again', { reason: holder.reason, charged });
      }
    }
  };
};
