import type {
  Balance,
  creditsLedger,
  FoundBlock,
  FoundItems,
  ReplyOf,
  RequestOf,
  ShortageCause,
} from '@tds/contracts';
import { ascending, type FakeReservation, itemsIn, newReservation } from './fake-reservation.ts';

type Reserve = RequestOf<typeof creditsLedger.reserveItems>;
type Charge = RequestOf<typeof creditsLedger.chargeItems>;
type ReserveResult = Pick<ReplyOf<typeof creditsLedger.reserveItems>, 'held' | 'why' | 'capLeft'>;

/** A purchase. */
export type FakeBlock = Omit<FoundBlock, 'net' | 'left' | 'isClosed'> & {
  readonly grantedAt: string;
  net: number;
};

type Account = { free: number; purchased: number; reserved: number; debt: number; version: number };

/** The ledger's promises about items, in plain memory, within one day. A copy serves as a restored database. */
export class FakeBooks {
  accounts = new Map<string, Account>();
  reservations = new Map<string, FakeReservation>();
  /** By ref, in the order of their grants. */
  blocks = new Map<string, FakeBlock>();
  closed = new Set<string>();
  /** The used cap of keys that share a day. */
  used = new Map<string, number>();
  /** The first credits of each account. */
  readonly free: number;

  constructor(free = 100) {
    this.free = free;
  }

  /** Copies the books as a backup would. */
  copy(): FakeBooks {
    return Object.assign(new FakeBooks(this.free), structuredClone({ ...this }));
  }

  account(id: string): Account {
    const existing = this.accounts.get(id);
    if (existing) return existing;
    const account = { free: this.free, purchased: 0, reserved: 0, debt: 0, version: 1 };
    this.accounts.set(id, account);
    return account;
  }

  balance(accountId: string): Balance {
    const { debt: _, ...balance } = this.account(accountId);
    return { accountId, ...balance, month: '2026-11' };
  }

  /** Adds purchased credits, which pay debt first. */
  grant(accountId: string, credits: number): void {
    const account = this.account(accountId);
    const paid = Math.min(account.debt, credits);
    account.debt -= paid;
    account.purchased += credits - paid;
    account.version += 1;
  }

  #hold(request: Reserve, reservation: FakeReservation, wish: readonly number[]): ShortageCause | null {
    const account = this.account(request.accountId);
    const limit = request.limitId ?? request.keyId;
    const cap = limit === null ? null : (request.dailyCreditCap ?? null);
    const used = this.used.get(`${request.accountId} ${limit}`) ?? 0;
    const byCredits = Math.floor((account.free + account.purchased) / request.unit);
    const byCap =
      cap === null ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor((cap - used) / request.unit));
    const isShort = request.coverage === 'all' && byCredits < Math.min(byCap, wish.length);
    const items = isShort ? [] : wish.slice(0, Math.min(byCredits, byCap));
    const credits = request.unit * items.length;
    const free = Math.min(account.free, credits);
    account.free -= free;
    account.purchased -= credits - free;
    account.reserved += credits;
    if (credits > 0) account.version += 1;
    reservation.free = free;
    reservation.purchased = credits - free;
    for (const item of items) reservation.items.set(item, 'held');
    if (limit !== null) this.used.set(`${request.accountId} ${limit}`, used + credits);
    if (items.length === wish.length) return null;
    return byCap <= byCredits ? 'daily_credit_cap' : 'insufficient_credits';
  }

  reserve(request: Reserve): ReserveResult {
    const existing = this.reservations.get(request.ref);
    let why: ShortageCause | null = null;
    if (existing?.accountId) {
      if (existing.accountId !== request.accountId || existing.unit !== request.unit)
        throw new Error('another reservation');
      why = existing.shortage;
    } else {
      const reservation = newReservation(request, existing);
      why = this.#hold(
        request,
        reservation,
        request.items.filter((item) => !reservation.items.has(item)),
      );
      reservation.shortage = why;
      if (itemsIn(reservation, 'held').length > 0) this.reservations.set(request.ref, reservation);
    }
    const states = this.reservations.get(request.ref)?.items;
    const held = request.items.filter((item) => ['held', 'charged'].includes(states?.get(item) ?? 'none'));
    const limit = request.limitId ?? request.keyId;
    const cap = limit === null ? null : (request.dailyCreditCap ?? null);
    const capLeft = cap === null ? null : cap - (this.used.get(`${request.accountId} ${limit}`) ?? 0);
    return { held, why: held.length < request.items.length ? why : null, capLeft };
  }

  #charge(reservation: FakeReservation, items: readonly number[]): void {
    const account = this.account(reservation.accountId ?? '');
    const credits = reservation.unit * items.length;
    const free = Math.min(reservation.free, credits);
    reservation.free -= free;
    reservation.purchased -= credits - free;
    account.reserved -= credits;
    for (const item of items) reservation.items.set(item, 'charged');
    if (items.length > 0) account.version += 1;
  }

  #release(reservation: FakeReservation, items: readonly number[]): void {
    const credits = reservation.unit * items.filter((item) => reservation.items.get(item) === 'held').length;
    for (const item of items)
      if (reservation.items.get(item) !== 'charged') reservation.items.set(item, 'released');
    if (reservation.accountId === null || credits === 0) return;
    const account = this.account(reservation.accountId);
    const purchased = Math.min(reservation.purchased, credits);
    reservation.purchased -= purchased;
    reservation.free -= credits - purchased;
    account.reserved -= credits;
    account.free += credits - purchased;
    this.grant(reservation.accountId, purchased);
    const used = `${reservation.accountId} ${reservation.limit}`;
    if (reservation.limit !== null) this.used.set(used, (this.used.get(used) ?? 0) - credits);
  }

  resolve(request: RequestOf<typeof creditsLedger.resolveItems>): ReplyOf<typeof creditsLedger.resolveItems> {
    const { ref, charge, release } = request;
    const existing = this.reservations.get(ref);
    if (!existing && release.length === 0) return { charged: [], held: [], balance: null };
    const reservation = existing ?? newReservation({ ref });
    this.reservations.set(ref, reservation);
    this.#charge(
      reservation,
      charge.filter((item) => reservation.items.get(item) === 'held'),
    );
    this.#release(reservation, release);
    const named = new Set([...charge, ...release]);
    return {
      charged: ascending([...named].filter((item) => reservation.items.get(item) === 'charged')),
      held: itemsIn(reservation, 'held'),
      balance: reservation.accountId === null ? null : this.balance(reservation.accountId),
    };
  }

  charge(request: Charge): ReplyOf<typeof creditsLedger.chargeItems> {
    const existing = this.reservations.get(request.ref);
    const reservation = existing?.accountId ? existing : newReservation(request, existing);
    if (reservation.accountId !== request.accountId || reservation.unit !== request.unit)
      throw new Error('another reservation');
    this.reservations.set(request.ref, reservation);
    this.#charge(
      reservation,
      request.items.filter((item) => reservation.items.get(item) === 'held'),
    );
    const lost = request.items.filter((item) => !reservation.items.has(item));
    const account = this.account(request.accountId);
    const credits = request.unit * lost.length;
    const free = Math.min(account.free, credits);
    const purchased = Math.min(account.purchased, credits - free);
    account.free -= free;
    account.purchased -= purchased;
    account.debt += credits - free - purchased;
    for (const item of lost) reservation.items.set(item, 'charged');
    const charged = request.items.filter((item) => reservation.items.get(item) === 'charged');
    return { charged, balance: this.balance(request.accountId) };
  }

  refund({
    ref,
    items,
  }: RequestOf<typeof creditsLedger.refundItems>): ReplyOf<typeof creditsLedger.refundItems> {
    const reservation = this.reservations.get(ref);
    if (!reservation?.accountId) return { outcome: 'unknown', refunded: [] };
    const fresh = items.filter(
      (item) => reservation.items.get(item) === 'charged' && !reservation.refunded.has(item),
    );
    for (const item of fresh) reservation.refunded.add(item);
    if (fresh.length > 0) this.grant(reservation.accountId, reservation.unit * fresh.length);
    return {
      outcome: 'granted',
      refunded: ascending(items.filter((item) => reservation.refunded.has(item))),
    };
  }

  find(ref: string): FoundItems[] {
    const reservation = this.reservations.get(ref);
    if (!reservation) return [];
    const found = {
      held: itemsIn(reservation, 'held'),
      charged: itemsIn(reservation, 'charged'),
      released: itemsIn(reservation, 'released'),
    };
    return [{ ref, unit: reservation.unit, refunded: ascending([...reservation.refunded]), ...found }];
  }
}
