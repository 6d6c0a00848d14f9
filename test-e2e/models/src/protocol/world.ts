import { FakeBooks } from '@tds/reservations/testing';
import { type Coverage, noCoverage } from './coverage.ts';
import type { Rules } from './rules.ts';
import { ACCOUNTS, type Databases, emptyFetcher, GRANT, type Key, SLOTS } from './state.ts';

/** Work under way: it runs transaction by transaction, until it ends or its process dies. */
export type Activity = Generator<void, void, void>;

/** A new track for an account, and the items that may pay for it. */
export type Delivery = {
  readonly account: string;
  readonly rows: readonly string[];
  readonly items: readonly string[];
};

export type DatabaseName = keyof Databases;

/** All services, their work under way, and records for the invariant. */
export class World {
  readonly rules: Rules;
  readonly coverage: Coverage = noCoverage();
  db: Databases = {
    fetcher: emptyFetcher(),
    ledger: { books: new FakeBooks(GRANT), grants: 0, epoch: 1 },
    jobs: { jobs: new Map(), tasks: new Map() },
  };
  readonly copies: Partial<Databases> = {};
  readonly keys: Key[] = [];
  /** Purchases known to billing. */
  readonly grants: string[] = [];
  activities: Activity[] = [];
  /** Commands that may arrive once more, late. */
  late: (() => void)[] = [];
  day = 0;
  /** Milliseconds; grows by more than one step uses for versions. */
  clock = 0;
  #last = 0;

  readonly deliveries: Delivery[] = [];
  readonly waived = new Set<string>();
  readonly stopped = new Set<string>();
  /** Begun cold rows, by account and the day of their opening. */
  readonly begun = new Map<string, number>();
  readonly restored = { fetcher: false, ledger: false, jobs: false };

  constructor(rules: Rules) {
    this.rules = rules;
    for (const account of ACCOUNTS) this.newKey(account, null);
  }

  id(what: string): string {
    this.#last += 1;
    return `${what} ${String(this.#last).padStart(5, '0')}`;
  }

  newKey(account: string, cap: number | null): void {
    const taken = this.keys.filter((key) => key.phase === 'active' && key.account === account);
    const slot = Array.from({ length: SLOTS }, (_, n) => n).find((n) => taken.every((key) => key.slot !== n));
    if (slot !== undefined) this.keys.push({ id: this.id('key'), account, slot, cap, phase: 'active' });
  }

  rotate(key: Key): void {
    this.keys.push({ ...key, id: this.id('key') });
    key.phase = 'rotated';
  }

  keyOf(id: string): Key {
    const key = this.keys.find((each) => each.id === id);
    if (!key) throw new Error(`no key ${id}`);
    return key;
  }

  /** The limit that a key uses today. */
  limitOf({ id, account, slot }: Key): string {
    return `${this.rules.daysBelongToSlots ? `${account} ${slot}` : id} on day ${this.day}`;
  }

  goToMidnight(): void {
    this.day += 1;
  }

  grant(account: string): void {
    this.grants.push(account);
    this.repeatGrants();
  }

  /** Billing grants purchases that the ledger lacks. */
  repeatGrants(): void {
    const { ledger } = this.db;
    for (; ledger.grants < this.grants.length; ledger.grants += 1)
      ledger.books.grant(String(this.grants[ledger.grants]), GRANT);
  }

  copy(name: DatabaseName): void {
    this.copies[name] = copyOf(this.db[name]) as never;
  }

  /** Ends all connections and work. May restore one database, repeatedly: losses of two cannot be repaired. */
  putBack(name: DatabaseName): void {
    const copy = this.copies[name];
    const isAnother = Object.entries(this.restored).some(([other, was]) => was && other !== name);
    if (!copy || isAnother) return;
    this.db[name] = copyOf(copy) as never;
    this.db.ledger.epoch += 1;
    [this.activities, this.late] = [[], []];
    this.restored[name] = true;
    this.coverage.restores += 1;
  }
}

const copyOf = (database: Databases[DatabaseName]): Databases[DatabaseName] =>
  'books' in database ? { ...database, books: database.books.copy() } : structuredClone(database);
