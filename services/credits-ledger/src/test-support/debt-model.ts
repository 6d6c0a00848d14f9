import type { ReserveItem, SqlAnswer } from './ledger-database.ts';
import type { LedgerModel } from './ledger-model.ts';
import { type Account, dayText, noAccount, noItems } from './model-state.ts';

/** The rules of charges without a reservation and of refunds, in plain memory, on the model's accounts. */
export class DebtModel {
  readonly #ledger: LedgerModel;

  constructor(ledger: LedgerModel) {
    this.#ledger = ledger;
  }

  #lend(account: Account, amount: number): void {
    const missing = Math.max(amount - account.purchased, 0);
    if (missing === 0) return;
    account.debt += missing;
    account.purchased += missing;
    account.version += 1;
  }

  /** Charges delivered items: settles held ones and takes the rest, into debt. */
  charge(item: ReserveItem, now: Date): SqlAnswer[] {
    const { account_id: id, ref, unit, items = [1], key_id: key = null } = item;
    const entry = this.#ledger.held.get(ref);
    if (entry?.account && (entry.account !== id || entry.unit !== unit)) {
      return [{ outcome: 'conflict', ...noAccount, has_events: false, ...noItems }];
    }
    const account = this.#ledger.enter(id);
    const hasEvents = this.#ledger.grantMonth(account, now);
    if (entry?.account) this.#ledger.apply([{ kind: 'settle', ref, items }], now);
    const missing = this.#ledger.itemsThatAre(ref, items, 'none');
    let outcome = 'charged';
    if (missing.length > 0 && account.status !== 'active') outcome = account.status;
    else if (missing.length > 0 && this.#ledger.isOutside(ref)) outcome = 'outside';
    else if (missing.length > 0) {
      const fresh = {
        account: id,
        key,
        day: dayText(now),
        unit,
        month: account.month,
        refunded: new Set<number>(),
      };
      const states = new Map(entry?.items);
      const held = entry?.account ? entry : { ...fresh, items: states, free: 0, purchased: 0, lacked: null };
      this.#ledger.held.set(ref, held);
      for (const item of missing) held.items.set(item, 'charged');
      const credits = unit * missing.length;
      const free = Math.min(account.free, credits);
      this.#lend(account, credits - free);
      account.free -= free;
      account.purchased -= credits - free;
      account.version += 1;
      const counted = { credits_used: credits, credits_charged: credits, settled: missing.length };
      this.#ledger.keyDays.add(id, held.key, dayText(now), counted);
    }
    const charged = this.#ledger.itemsThatAre(ref, items, 'charged');
    return [{ ...this.#ledger.answer(id, outcome, hasEvents), charged }];
  }

  refund(ref: string, items: readonly number[], now: Date): SqlAnswer[] {
    const held = this.#ledger.held.get(ref);
    if (!held?.account) return [{ outcome: 'unknown', ...noAccount, has_events: false, ...noItems }];
    const account = this.#ledger.enter(held.account);
    let hasEvents = this.#ledger.grantMonth(account, now);
    const fresh = this.#ledger.itemsThatAre(ref, items, 'charged').filter((item) => !held.refunded.has(item));
    const isRefused = fresh.length > 0 && account.status === 'closed';
    if (fresh.length > 0 && !isRefused) {
      for (const item of fresh) held.refunded.add(item);
      account.version += 1;
      this.#ledger.addCredits(account, held.unit * fresh.length);
      this.#ledger.keyDays.add(held.account, held.key, dayText(now), {});
      hasEvents = true;
    }
    const charged = items.filter((item) => held.refunded.has(item)).toSorted((one, other) => one - other);
    return [{ ...this.#ledger.answer(held.account, isRefused ? 'closed' : 'granted', hasEvents), charged }];
  }
}
