import type { Evidence } from './evidence.ts';

/** A reservation as it stands: a character for each part, from part 1 on; what is beyond the end is 0. */
export type Reserved = {
  readonly ref: string;
  readonly account_id: string | null;
  readonly unit: number;
  readonly parts: string;
  readonly charged: string;
  readonly given_back: string;
  readonly refunded: string;
  readonly is_closed: boolean;
};

export type PartState = 'held' | 'charged' | 'given back' | 'refunded' | 'none';

export const RESERVED = `
  SELECT r.ref, r.account_id, r.unit, r.parts::text, r.charged::text, r.given_back::text, r.refunded::text,
    coalesce(a.status = 'closed', false) AS is_closed
  FROM reservations AS r LEFT JOIN accounts AS a ON a.account_id = r.account_id`;

export const reservedUnder = async (
  { rows }: Evidence,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Reserved>> => {
  const sql = `${RESERVED} WHERE r.ref = ANY ($1)`;
  const found = await rows<Reserved>('credits-ledger', sql, [refs]);
  return new Map(found.map((reserved) => [reserved.ref, reserved]));
};

const has = (bits: string, part: number): boolean => bits[part - 1] === '1';

export const stateOf = (reserved: Reserved | undefined, part: number): PartState => {
  if (!reserved) return 'none';
  if (has(reserved.refunded, part)) return 'refunded';
  if (has(reserved.charged, part)) return 'charged';
  if (has(reserved.given_back, part)) return 'given back';
  return has(reserved.parts, part) ? 'held' : 'none';
};

/** The parts that are or may be charged. */
export const openOrCharged = (reserved: Reserved): number[] => {
  const longest = Math.max(reserved.parts.length, reserved.charged.length);
  return Array.from({ length: longest }, (_, index) => index + 1).filter((part) =>
    ['held', 'charged'].includes(stateOf(reserved, part)),
  );
};
