import type {
  Balance,
  creditsLedger,
  FoundBlock,
  FoundParts,
  Lacking,
  ReplyOf,
  RequestOf,
} from '@tds/contracts';
import { ascending, type FakeReservation, newReservation, partsIn } from './fake-reservation.ts';

type Reserve = RequestOf<typeof creditsLedger.reserveParts>;
type Charge = RequestOf<typeof creditsLedger.chargeParts>;
type ReserveResult = Pick<ReplyOf<typeof creditsLedger.reserveParts>, 'held' | 'why' | 'capLeft'>;

/** A purchase. */
export type FakeBlock = Omit<FoundBlock, 'standing' | 'left' | 'isClosed'> & {
  readonly grantedAt: string;
  standing: number;
};

type Account = { free: number; purchased: number; reserved: number; debt: number; version: number };

/** The ledger's promises about parts, in plain memory, within one day. A copy serves as a restored database. */
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
    const known = this.accounts.get(id);
    if (known) return known;
    const opened = { free: this.free, purchased: 0, reserved: 0, debt: 0, version: 1 };
    this.accounts.set(id, opened);
    return opened;
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

  #hold(given: Reserve, held: FakeReservation, wish: readonly number[]): Lacking | null {
    const account = this.account(given.accountId);
    const limit = given.limitId ?? given.keyId;
    const cap = limit === null ? null : (given.dailyCreditCap ?? null);
    const used = this.used.get(`${given.accountId} ${limit}`) ?? 0;
    const byCredits = Math.floor((account.free + account.purchased) / given.unit);
    const byCap =
      cap === null ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor((cap - used) / given.unit));
    const isShort = given.coverage === 'all' && byCredits < Math.min(byCap, wish.length);
    const parts = isShort ? [] : wish.slice(0, Math.min(byCredits, byCap));
    const credits = given.unit * parts.length;
    const free = Math.min(account.free, credits);
    account.free -= free;
    account.purchased -= credits - free;
    account.reserved += credits;
    if (credits > 0) account.version += 1;
    held.free = free;
    held.purchased = credits - free;
    for (const part of parts) held.parts.set(part, 'held');
    if (limit !== null) this.used.set(`${given.accountId} ${limit}`, used + credits);
    if (parts.length === wish.length) return null;
    return byCap <= byCredits ? 'daily_credit_cap' : 'insufficient_credits';
  }

  reserve(given: Reserve): ReserveResult {
    const known = this.reservations.get(given.ref);
    let why: Lacking | null = null;
    if (known?.accountId) {
      if (known.accountId !== given.accountId || known.unit !== given.unit)
        throw new Error('another reservation');
      why = known.lacked;
    } else {
      const held = newReservation(given, known);
      why = this.#hold(
        given,
        held,
        given.parts.filter((part) => !held.parts.has(part)),
      );
      held.lacked = why;
      if (partsIn(held, 'held').length > 0) this.reservations.set(given.ref, held);
    }
    const states = this.reservations.get(given.ref)?.parts;
    const held = given.parts.filter((part) => ['held', 'charged'].includes(states?.get(part) ?? 'none'));
    const limit = given.limitId ?? given.keyId;
    const cap = limit === null ? null : (given.dailyCreditCap ?? null);
    const capLeft = cap === null ? null : cap - (this.used.get(`${given.accountId} ${limit}`) ?? 0);
    return { held, why: held.length < given.parts.length ? why : null, capLeft };
  }

  #charge(held: FakeReservation, parts: readonly number[]): void {
    const account = this.account(held.accountId ?? '');
    const credits = held.unit * parts.length;
    const free = Math.min(held.free, credits);
    held.free -= free;
    held.purchased -= credits - free;
    account.reserved -= credits;
    for (const part of parts) held.parts.set(part, 'charged');
    if (parts.length > 0) account.version += 1;
  }

  #release(held: FakeReservation, parts: readonly number[]): void {
    const credits = held.unit * parts.filter((part) => held.parts.get(part) === 'held').length;
    for (const part of parts) if (held.parts.get(part) !== 'charged') held.parts.set(part, 'released');
    if (held.accountId === null || credits === 0) return;
    const account = this.account(held.accountId);
    const purchased = Math.min(held.purchased, credits);
    held.purchased -= purchased;
    held.free -= credits - purchased;
    account.reserved -= credits;
    account.free += credits - purchased;
    this.grant(held.accountId, purchased);
    const used = `${held.accountId} ${held.limit}`;
    if (held.limit !== null) this.used.set(used, (this.used.get(used) ?? 0) - credits);
  }

  resolve(given: RequestOf<typeof creditsLedger.resolveParts>): ReplyOf<typeof creditsLedger.resolveParts> {
    const { ref, charge, release } = given;
    const known = this.reservations.get(ref);
    if (!known && release.length === 0) return { charged: [], held: [], balance: null };
    const held = known ?? newReservation({ ref });
    this.reservations.set(ref, held);
    this.#charge(
      held,
      charge.filter((part) => held.parts.get(part) === 'held'),
    );
    this.#release(held, release);
    const named = new Set([...charge, ...release]);
    return {
      charged: ascending([...named].filter((part) => held.parts.get(part) === 'charged')),
      held: partsIn(held, 'held'),
      balance: held.accountId === null ? null : this.balance(held.accountId),
    };
  }

  charge(given: Charge): ReplyOf<typeof creditsLedger.chargeParts> {
    const known = this.reservations.get(given.ref);
    const held = known?.accountId ? known : newReservation(given, known);
    if (held.accountId !== given.accountId || held.unit !== given.unit)
      throw new Error('another reservation');
    this.reservations.set(given.ref, held);
    this.#charge(
      held,
      given.parts.filter((part) => held.parts.get(part) === 'held'),
    );
    const lost = given.parts.filter((part) => !held.parts.has(part));
    const account = this.account(given.accountId);
    const credits = given.unit * lost.length;
    const free = Math.min(account.free, credits);
    const purchased = Math.min(account.purchased, credits - free);
    account.free -= free;
    account.purchased -= purchased;
    account.debt += credits - free - purchased;
    for (const part of lost) held.parts.set(part, 'charged');
    const charged = given.parts.filter((part) => held.parts.get(part) === 'charged');
    return { charged, balance: this.balance(given.accountId) };
  }

  refund({
    ref,
    parts,
  }: RequestOf<typeof creditsLedger.refundParts>): ReplyOf<typeof creditsLedger.refundParts> {
    const held = this.reservations.get(ref);
    if (!held?.accountId) return { outcome: 'unknown', refunded: [] };
    const fresh = parts.filter((part) => held.parts.get(part) === 'charged' && !held.refunded.has(part));
    for (const part of fresh) held.refunded.add(part);
    if (fresh.length > 0) this.grant(held.accountId, held.unit * fresh.length);
    return { outcome: 'granted', refunded: ascending(parts.filter((part) => held.refunded.has(part))) };
  }

  find(ref: string): FoundParts[] {
    const held = this.reservations.get(ref);
    if (!held) return [];
    const found = {
      held: partsIn(held, 'held'),
      charged: partsIn(held, 'charged'),
      released: partsIn(held, 'released'),
    };
    return [{ ref, unit: held.unit, refunded: ascending([...held.refunded]), ...found }];
  }
}
