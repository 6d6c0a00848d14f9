import type { ReserveItem, SqlAnswer } from './ledger-database.ts';
import type { Account, LedgerModel } from './ledger-model.ts';

/** The rules of charges without a reservation and of disputes, in plain memory, on the accounts of the ledger's model. */
export class DebtModel {
  readonly #ledger: LedgerModel;
  readonly #disputes = new Map<string, number>();

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

  charge(item: ReserveItem, now: Date): SqlAnswer[] {
    const operation = { kind: 'reserve' as const, ...item, daily_cap: null };
    let [answer] = this.#ledger.apply([operation], now);
    const told = answer?.told === true;
    if (answer?.outcome === 'insufficient' && this.#ledger.isOutside(item.ref)) {
      answer = { ...answer, outcome: 'outside' };
    } else if (answer?.outcome === 'insufficient') {
      const account = this.#ledger.enter(item.account_id);
      this.#lend(account, item.amount - account.free);
      [answer] = this.#ledger.apply([operation], now);
    }
    if (answer?.outcome === 'reserved')
      [answer] = this.#ledger.apply([{ kind: 'settle', ref: item.ref }], now);
    if (!answer) throw new Error('the model did not answer');
    return [
      { ...answer, outcome: answer.outcome.replace('in_parts', 'conflict'), told: told || answer.told },
    ];
  }

  dispute(id: string, ref: string, amount: number, now: Date): SqlAnswer[] {
    const account = this.#ledger.enter(id);
    const told = this.#ledger.grantMonth(account, now);
    const taken = this.#disputes.get(`${id} ${ref}`);
    if (taken === undefined) {
      this.#disputes.set(`${id} ${ref}`, amount);
      this.#lend(account, amount);
      account.purchased -= amount;
      account.version += 1;
    }
    return [this.#ledger.answer(id, (taken ?? amount) === amount ? 'disputed' : 'conflict', told)];
  }
}
