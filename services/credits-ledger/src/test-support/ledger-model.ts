import { KeyDays } from './key-day-model.ts';
import type { Operation, ReserveItem, SqlAnswer } from './ledger-database.ts';

export type Account = {
  free: number;
  purchased: number;
  reserved: number;
  debt: number;
  month: string;
  version: number;
  status: string;
  statusVersion: number;
};
export type Held = {
  account: string | null;
  key: string | null;
  day: string;
  amount: number;
  fromFree: number;
  month: string;
  state: 'open' | 'in_parts' | 'settled' | 'released';
  /** Of a reservation in parts. */
  parts?: { readonly unit: number; readonly count: number; readonly charged: Set<number> };
};

export const nobody = {
  account_id: null,
  free: null,
  purchased: null,
  reserved: null,
  version: null,
  month: null,
};
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/** The rules of the ledger once more, in plain memory: what the SQL functions are compared with. */
export class LedgerModel {
  readonly accounts = new Map<string, Account>();
  readonly keyDays = new KeyDays();
  readonly held = new Map<string, Held>();
  readonly #grants = new Map<string, number>();
  /** Whether the month in a ref is not open. */
  readonly isOutside: (ref: string) => boolean;

  constructor(isOutside: (ref: string) => boolean) {
    this.isOutside = isOutside;
  }

  enter(id: string): Account {
    const known = this.accounts.get(id);
    if (known) return known;
    const opened = { free: 0, purchased: 0, reserved: 0, debt: 0, month: '0000-00', version: 0 };
    const account = { ...opened, status: 'active', statusVersion: -1 };
    this.accounts.set(id, account);
    return account;
  }

  /** Grants the month if it is due; true if an event announces it. */
  grantMonth(account: Account, now: Date): boolean {
    if (account.status === 'closed' || account.month >= monthOf(now)) return false;
    account.month = monthOf(now);
    account.free = 100;
    account.version += 1;
    return true;
  }

  /** Purchased credits come in, and pay what is owed. */
  bring(account: Account, credits: number): void {
    const paid = Math.min(account.debt, credits);
    account.debt -= paid;
    account.purchased += credits - paid;
    if (paid > 0) account.version += 1;
  }

  answer(id: string, outcome: string, told: boolean): SqlAnswer {
    const { free, purchased, reserved, version, month } = this.enter(id);
    return { outcome, account_id: id, free, purchased, reserved, version, month, told };
  }

  #reserveOne({ account_id, ref, amount, key_id = null, daily_cap = null }: ReserveItem, now: Date): string {
    const account = this.enter(account_id);
    const held = this.held.get(ref);
    if (held?.account === null) return 'released';
    if (held) {
      if (held.account !== account_id || held.amount !== amount) return 'conflict';
      return held.state === 'open' ? 'reserved' : held.state;
    }
    if (account.status !== 'active') return account.status;
    const day = dayOf(now);
    const used = this.keyDays.of(account_id, key_id, day).credits_used;
    if (key_id !== null && daily_cap !== null && used + amount > daily_cap) return 'capped';
    if (amount > account.free + account.purchased) return 'insufficient';
    if (this.isOutside(ref)) return 'outside';
    const fromFree = Math.min(account.free, amount);
    account.free -= fromFree;
    account.purchased -= amount - fromFree;
    account.reserved += amount;
    account.version += 1;
    const { month } = account;
    this.held.set(ref, { account: account_id, key: key_id, day, amount, fromFree, month, state: 'open' });
    this.keyDays.add(account_id, key_id, day, { credits_used: amount, reserved: 1 });
    return 'reserved';
  }

  /** Grants every account its month, then applies the items in their order. */
  #inOrder<Item>(
    list: readonly Item[],
    accountOf: (item: Item) => string,
    now: Date,
    apply: (item: Item) => string,
  ): SqlAnswer[] {
    const accounts = new Set(list.map(accountOf));
    const told = new Map([...accounts].map((id) => [id, this.grantMonth(this.enter(id), now)]));
    return list.map((item) => {
      const id = accountOf(item);
      return this.answer(id, apply(item), told.get(id) === true);
    });
  }

  #resolveOne(ref: string, state: 'settled' | 'released', now: Date): string {
    const held = this.held.get(ref);
    if (!held?.account) throw new Error(`the model resolves ${ref}, which it does not hold`);
    if (held.state !== 'open') return held.state;
    const account = this.enter(held.account);
    held.state = state;
    account.reserved -= held.amount;
    account.version += 1;
    const { key, day, amount } = held;
    if (state === 'settled') {
      this.keyDays.add(held.account, key, dayOf(now), { credits_charged: amount, settled: 1 });
      return state;
    }
    this.keyDays.add(held.account, key, dayOf(now), { released: 1 });
    this.keyDays.add(held.account, key, day, { credits_used: -amount });
    this.bring(account, held.amount - held.fromFree);
    if (held.month === account.month && held.month >= monthOf(now)) account.free += held.fromFree;
    return state;
  }

  /** Resolves a ref that was unknown when the call began; a release of it is remembered. */
  #resolveUnknown(ref: string, kind: string): SqlAnswer {
    const outcome = this.held.get(ref)?.state ?? 'unknown';
    if (kind === 'release' && outcome === 'unknown' && !this.isOutside(ref)) {
      const tombstone = { account: null, key: null, day: '', amount: 0, fromFree: 0, month: '' };
      this.held.set(ref, { ...tombstone, state: 'released' });
    }
    return { outcome, ...nobody, told: false };
  }

  /** Those of unknown refs first; answers in the order of the operations. */
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
      if (!account) answers[index] = this.#resolveUnknown(operation.ref, operation.kind);
    }
    const known = placed.filter(({ account }) => account);
    const applyOne = ({ operation }: { operation: Operation }) =>
      operation.kind === 'reserve'
        ? this.#reserveOne(operation, now)
        : this.#resolveOne(operation.ref, `${operation.kind}d`, now);
    this.#inOrder(known, ({ account }) => account ?? '', now, applyOne).forEach((answer, place) => {
      answers[known[place]?.index ?? -1] = answer;
    });
    return answers;
  }

  balance(id: string, now: Date): SqlAnswer[] {
    return this.#inOrder(
      [id],
      (item) => item,
      now,
      () => 'balance',
    );
  }

  open(id: string, now: Date): SqlAnswer[] {
    return this.#inOrder(
      [id],
      (item) => item,
      now,
      () => 'opened',
    );
  }

  grant(id: string, ref: string, amount: number, now: Date): SqlAnswer[] {
    const account = this.enter(id);
    const told = this.grantMonth(account, now);
    const given = this.#grants.get(`${id} ${ref}`);
    if (given !== undefined) return [this.answer(id, given === amount ? 'granted' : 'conflict', told)];
    if (account.status === 'closed') return [this.answer(id, 'closed', told)];
    this.#grants.set(`${id} ${ref}`, amount);
    account.version += 1;
    this.bring(account, amount);
    return [this.answer(id, 'granted', true)];
  }

  setStatus(id: string, status: string, version: number): boolean {
    const account = this.enter(id);
    if (version <= account.statusVersion) return false;
    Object.assign(account, { status, statusVersion: version });
    return true;
  }
}
