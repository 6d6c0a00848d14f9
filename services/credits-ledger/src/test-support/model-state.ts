import type { Operation } from './ledger-database.ts';

export type Resolve = Exclude<Operation, { kind: 'reserve' }>;
/** What a reserve comes to. */
export type Told = { outcome: string; held: number[]; lacked: string | null; reserved: number };

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
  unit: number;
  month: string;
  readonly parts: Map<number, 'held' | 'charged' | 'given_back'>;
  readonly refunded: Set<number>;
  /** What is held still. */
  free: number;
  purchased: number;
  lacked: string | null;
};

export const nobody = {
  account_id: null,
  free: null,
  purchased: null,
  reserved: null,
  version: null,
  month: null,
};
/** Of what is not about parts. */
export const noParts = { held: null, charged: null, lacked: null, cap_left: null };
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10);
