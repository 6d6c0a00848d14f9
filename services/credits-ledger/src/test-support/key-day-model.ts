/** A row of `key_days`. */
export type KeyDay = {
  readonly credits_used: number;
  readonly credits_charged: number;
  readonly reserved: number;
  readonly settled: number;
  readonly released: number;
};

const none: KeyDay = { credits_used: 0, credits_charged: 0, reserved: 0, settled: 0, released: 0 };
const NO_KEY = '00000000-0000-0000-0000-000000000000';

/** Use and charges of keys by day, in plain memory. */
export class KeyDays {
  readonly rows = new Map<string, KeyDay>();

  of(account: string, key: string | null, day: string): KeyDay {
    return this.rows.get(`${account} ${day} ${key ?? NO_KEY}`) ?? none;
  }

  add(account: string, key: string | null, day: string, change: Partial<KeyDay>): void {
    const before = this.of(account, key, day);
    const after = Object.entries(before).map(([name, value]) => [
      name,
      value + (change[name as keyof KeyDay] ?? 0),
    ]);
    this.rows.set(`${account} ${day} ${key ?? NO_KEY}`, Object.fromEntries(after) as KeyDay);
  }
}
