import { KeyDays } from './key-day-model.ts';
import type { Operation, ReserveItem, SqlAnswer } from './ledger-database.ts';
import {
  type Account,
  dayText,
  type HeldReservation,
  monthText,
  noAccount,
  noItems,
  type ReserveResult,
  type Resolve,
} from './model-state.ts';

/** The rules of the ledger in plain memory, to compare the SQL functions with. */
export class LedgerModel {
  readonly accounts = new Map<string, Account>();
  readonly keyDays = new KeyDays();
  readonly held = new Map<string, HeldReservation>();
  readonly #grants = new Map<string, number>();
  /** Whether the month in a ref is not open. */
  readonly isOutside: (ref: string) => boolean;

  constructor(isOutside: (ref: string) => boolean) {
    this.isOutside = isOutside;
  }

  enter(id: string): Account {
    const existing = this.accounts.get(id);
    if (existing) return existing;
    const opened = { free: 0, purchased: 0, reserved: 0, debt: 0, month: '0000-00', version: 0 };
    const account = { ...opened, status: 'active', statusVersion: -1 };
    this.accounts.set(id, account);
    return account;
  }

  /** Grants the month if it is due. Returns whether that emits an event. */
  grantMonth(account: Account, now: Date): boolean {
    if (account.status === 'closed' || account.month >= monthText(now)) return false;
    account.month = monthText(now);
    account.free = 100;
    account.version += 1;
    return true;
  }

  /** Adds purchased credits, which pay debt first. */
  addCredits(account: Account, credits: number): void {
    const paid = Math.min(account.debt, credits);
    account.debt -= paid;
    account.purchased += credits - paid;
    if (paid > 0) account.version += 1;
  }

  answer(id: string, outcome: string, hasEvents: boolean): SqlAnswer {
    const { free, purchased, reserved, version, month } = this.enter(id);
    const state = { free, purchased, reserved, version, month };
    return { outcome, account_id: id, ...state, has_events: hasEvents, ...noItems };
  }

  itemsThatAre(ref: string, items: readonly number[], ...states: readonly string[]): number[] {
    const held = this.held.get(ref);
    return items.filter((item) => states.includes(held?.items.get(item) ?? 'none'));
  }

  /** Holds as many items as fit and were not released. */
  #hold(item: ReserveItem, capLeft: number | null, now: Date): ReserveResult {
    const { account_id: id, ref, unit, items = [1], key_id: key = null } = item;
    const account = this.enter(id);
    const wish = this.itemsThatAre(ref, items, 'none');
    const byCredits = Math.floor((account.free + account.purchased) / unit);
    const byCap = capLeft === null ? Number.POSITIVE_INFINITY : Math.trunc(capLeft / unit);
    const allowed = Math.max(0, Math.min(wish.length, byCap));
    const isShort = byCredits < allowed && item.coverage === 'all';
    const count = isShort ? 0 : Math.min(allowed, byCredits);
    const short = byCap <= count ? 'daily_credit_cap' : 'insufficient_credits';
    const lacked = count < wish.length ? short : null;
    const refused = { held: [], lacked, reserved: 0 };
    if (wish.length === 0) return { ...refused, outcome: 'released' };
    if (account.status !== 'active') return { ...refused, outcome: account.status };
    if (count === 0) return { ...refused, outcome: short === 'daily_credit_cap' ? 'capped' : 'insufficient' };
    if (this.isOutside(ref)) return { ...refused, outcome: 'outside' };
    const [held, reserved] = [wish.slice(0, count), unit * count];
    const free = Math.min(account.free, reserved);
    account.free -= free;
    account.purchased -= reserved - free;
    account.reserved += reserved;
    account.version += 1;
    const states = new Map(this.held.get(ref)?.items);
    for (const item of held) states.set(item, 'held');
    const of = { account: id, key, day: dayText(now), unit, month: account.month, refunded: new Set<number>() };
    this.held.set(ref, { ...of, items: states, free, purchased: reserved - free, lacked });
    this.keyDays.add(id, key, dayText(now), { credits_used: reserved, reserved: 1 });
    return { held, lacked, reserved, outcome: 'reserved' };
  }

  #reserveOne(item: ReserveItem, now: Date): ReserveResult & { cap_left: number | null } {
    const { account_id: id, ref, unit, items = [1], key_id: key = null, daily_cap: cap = null } = item;
    const used = this.keyDays.of(id, key, dayText(now)).credits_used;
    const capLeft = key === null || cap === null ? null : cap - used;
    const entry = this.held.get(ref);
    if (!entry?.account) {
      const held = this.#hold(item, capLeft, now);
      return { ...held, cap_left: capLeft === null ? null : capLeft - held.reserved };
    }
    const nothing = { held: [], lacked: null, reserved: 0, cap_left: capLeft };
    if (entry.account !== id || entry.unit !== unit) return { ...nothing, outcome: 'conflict' };
    const held = this.itemsThatAre(ref, items, 'held', 'charged');
    const isCharged = this.itemsThatAre(ref, held, 'charged').length === held.length;
    const outcome = held.length === 0 ? 'released' : isCharged ? 'settled' : 'reserved';
    return { ...nothing, held, outcome, lacked: held.length < items.length ? entry.lacked : null };
  }

  /** Grants every account its month, then applies the items in order. */
  #inOrder<Item>(
    list: readonly Item[],
    accountOf: (item: Item) => string,
    now: Date,
    apply: (item: Item) => Partial<SqlAnswer> & { readonly outcome: string },
  ): SqlAnswer[] {
    const accounts = new Set(list.map(accountOf));
    const granted = new Map([...accounts].map((id) => [id, this.grantMonth(this.enter(id), now)]));
    return list.map((item) => {
      const id = accountOf(item);
      const result = apply(item);
      return { ...this.answer(id, result.outcome, granted.get(id) === true), ...result };
    });
  }

  /** A charge takes free credits first, a release returns purchased ones first. */
  #settle(held: HeldReservation, account: Account, credits: number): void {
    const free = Math.min(held.free, credits);
    held.free -= free;
    held.purchased -= credits - free;
    account.reserved -= credits;
    account.version += 1;
  }

  #release(held: HeldReservation, account: Account, credits: number, now: Date): void {
    const purchased = Math.min(held.purchased, credits);
    held.purchased -= purchased;
    held.free -= credits - purchased;
    account.reserved -= credits;
    account.version += 1;
    this.addCredits(account, purchased);
    if (held.month === account.month && held.month >= monthText(now)) account.free += credits - purchased;
  }

  #resolveOne({ ref, kind, items = [1] }: Resolve, now: Date) {
    const held = this.held.get(ref);
    if (!held?.account) throw new Error(`the model resolves ${ref}, which it does not hold`);
    const account = this.enter(held.account);
    const open = this.itemsThatAre(ref, items, 'held');
    const [credits, count] = [held.unit * open.length, open.length];
    for (const item of items) {
      if (kind === 'release' && held.items.get(item) !== 'charged') held.items.set(item, 'released');
      if (kind === 'settle' && open.includes(item)) held.items.set(item, 'charged');
    }
    if (count > 0 && kind === 'settle') {
      this.#settle(held, account, credits);
      this.keyDays.add(held.account, held.key, dayText(now), { credits_charged: credits, settled: count });
    } else if (count > 0) {
      this.#release(held, account, credits, now);
      this.keyDays.add(held.account, held.key, dayText(now), { released: 1 });
      this.keyDays.add(held.account, held.key, held.day, { credits_used: -credits });
    }
    const charged = this.itemsThatAre(ref, items, 'charged');
    const left = this.itemsThatAre(ref, [...held.items.keys()], 'held').toSorted((one, other) => one - other);
    return { outcome: charged.length > 0 ? 'settled' : 'released', charged, held: left };
  }

  /** Resolves a ref that was unknown at the start of the call; a release leaves a tombstone. */
  #resolveUnknown({ ref, kind, items = [1] }: Resolve): SqlAnswer {
    const entry = this.held.get(ref);
    const nothing = {
      account: null,
      key: null,
      day: '',
      unit: 0,
      month: '',
      free: 0,
      purchased: 0,
      lacked: null,
    };
    const tombstone = entry ?? { ...nothing, items: new Map(), refunded: new Set() };
    if (kind === 'release' && !this.isOutside(ref)) {
      for (const item of items) tombstone.items.set(item, 'released');
      this.held.set(ref, tombstone);
    }
    const outcome = entry ? 'released' : 'unknown';
    return { outcome, ...noAccount, has_events: false, ...noItems, held: [], charged: [] };
  }

  /** Unknown refs first; returns answers in the order of the operations. */
  apply(operations: readonly Operation[], now: Date): SqlAnswer[] {
    const placed = operations.map((operation, index) => {
      const held = operation.kind === 'reserve' ? undefined : this.held.get(operation.ref);
      return {
        operation,
        index,
        account: operation.kind === 'reserve' ? operation.account_id : held?.account,
      };
    });
    const answers: SqlAnswer[] = [];
    for (const { operation, index, account } of placed) {
      if (!account && operation.kind !== 'reserve') answers[index] = this.#resolveUnknown(operation);
    }
    const withAccount = placed.filter(({ account }) => account);
    const applyOne = ({ operation }: { operation: Operation }) => {
      if (operation.kind !== 'reserve') return this.#resolveOne(operation, now);
      const { reserved: _, ...held } = this.#reserveOne(operation, now);
      return { ...held, charged: [] };
    };
    this.#inOrder(withAccount, ({ account }) => account ?? '', now, applyOne).forEach((answer, place) => {
      answers[withAccount[place]?.index ?? -1] = answer;
    });
    return answers;
  }

  balance(id: string, now: Date): SqlAnswer[] {
    return [this.answer(id, 'balance', this.grantMonth(this.enter(id), now))];
  }

  open(id: string, now: Date): SqlAnswer[] {
    return [this.answer(id, 'opened', this.grantMonth(this.enter(id), now))];
  }

  grant(id: string, ref: string, amount: number, now: Date): SqlAnswer[] {
    const account = this.enter(id);
    const hasEvents = this.grantMonth(account, now);
    const previous = this.#grants.get(`${id} ${ref}`);
    if (previous !== undefined)
      return [this.answer(id, previous === amount ? 'granted' : 'conflict', hasEvents)];
    if (account.status === 'closed') return [this.answer(id, 'closed', hasEvents)];
    this.#grants.set(`${id} ${ref}`, amount);
    account.version += 1;
    this.addCredits(account, amount);
    return [this.answer(id, 'granted', true)];
  }

  setStatus(id: string, status: string, version: number): boolean {
    const account = this.enter(id);
    if (version <= account.statusVersion) return false;
    Object.assign(account, { status, statusVersion: version });
    return true;
  }
}
