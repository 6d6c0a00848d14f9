import type { PartsAnswer, ReserveItem, SqlAnswer } from './ledger-database.ts';
import { dayOf, type Held, type LedgerModel, monthOf, nobody } from './ledger-model.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The rules of reservations in parts, in plain memory, on the accounts of the ledger's model. */
export class PartsModel {
  readonly #ledger: LedgerModel;

  constructor(ledger: LedgerModel) {
    this.#ledger = ledger;
  }

  #answer(answer: SqlAnswer, held: Held | undefined, asked: readonly number[]): PartsAnswer {
    const parts = answer.outcome === 'conflict' ? null : held?.parts;
    const charged = [...new Set(asked)].filter((part) => parts?.charged.has(part)).toSorted((a, b) => a - b);
    const isOpen = parts && held?.state === 'in_parts';
    return { ...answer, charged, remaining: isOpen ? parts.count - parts.charged.size : 0 };
  }

  reserve(item: Omit<ReserveItem, 'amount'> & { unit: number; parts: number }, now: Date): PartsAnswer[] {
    const { unit, parts: count, ...operation } = item;
    const isNew = !this.#ledger.held.has(item.ref);
    const [answer] = this.#ledger.apply([{ kind: 'reserve', ...operation, amount: unit * count }], now);
    const held = this.#ledger.held.get(item.ref);
    if (!answer) throw new Error('the model did not answer');
    if (held && isNew) Object.assign(held, { state: 'in_parts', parts: { unit, count, charged: new Set() } });
    const isHeld = ['reserved', 'in_parts', 'settled', 'released'].includes(answer.outcome) && held?.account;
    const isSame = held?.parts?.unit === unit && held.parts.count === count;
    const known = isSame ? answer.outcome.replace('in_parts', 'reserved') : 'conflict';
    return [this.#answer({ ...answer, outcome: isHeld ? known : answer.outcome }, held, upTo(count))];
  }

  /** What is done with a reservation in parts that is open; the outcome of all others is decided here. */
  #resolve(
    ref: string,
    asked: readonly number[] | null,
    now: Date,
    open: (held: Held) => string,
  ): PartsAnswer[] {
    const held = this.#ledger.held.get(ref);
    const numbers = asked ?? upTo(held?.parts?.count ?? 0);
    if (!held?.account) {
      return [this.#answer({ outcome: held?.state ?? 'unknown', ...nobody, told: false }, undefined, [])];
    }
    const told = this.#ledger.grantMonth(this.#ledger.enter(held.account), now);
    const { parts } = held;
    let { state: outcome }: { state: string } = held;
    if (!parts || numbers.some((part) => part > parts.count)) outcome = 'conflict';
    else if (held.state === 'in_parts') outcome = open(held);
    return [this.#answer(this.#ledger.answer(held.account, outcome, told), held, numbers)];
  }

  settle(ref: string, asked: readonly number[] | null, now: Date): PartsAnswer[] {
    return this.#resolve(ref, asked, now, ({ account: id, key, parts, amount }) => {
      if (!id || !parts) return 'conflict';
      const fresh = new Set(asked ?? upTo(parts.count)).difference(parts.charged);
      const credits = parts.unit * fresh.size;
      for (const part of fresh) parts.charged.add(part);
      if (fresh.size > 0) {
        const account = this.#ledger.enter(id);
        account.reserved -= credits;
        account.version += 1;
        this.#ledger.keyDays.add(id, key, dayOf(now), { credits_charged: credits, settled: fresh.size });
      }
      const held = this.#ledger.held.get(ref);
      if (held && parts.unit * parts.charged.size === amount) held.state = 'settled';
      return 'settled';
    });
  }

  release(ref: string, now: Date): PartsAnswer[] {
    return this.#resolve(ref, null, now, (held) => {
      const { account: id, key, day, parts, amount, fromFree, month } = held;
      if (!id || !parts) return 'conflict';
      const account = this.#ledger.enter(id);
      const charged = parts.unit * parts.charged.size;
      const freeLeft = Math.max(fromFree - charged, 0);
      held.state = 'released';
      account.reserved -= amount - charged;
      this.#ledger.bring(account, amount - charged - freeLeft);
      if (month === account.month && month >= monthOf(now)) account.free += freeLeft;
      account.version += 1;
      this.#ledger.keyDays.add(id, key, dayOf(now), { released: 1 });
      this.#ledger.keyDays.add(id, key, day, { credits_used: charged - amount });
      return 'released';
    });
  }
}
