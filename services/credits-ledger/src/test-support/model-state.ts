import type { Operation } from './ledger-database.ts';

export type Resolve = Exclude<Operation, { kind: 'reserve' }>;
/** The result of a reserve. */
export type ReserveResult = { outcome: string; held: number[]; lacked: string | null; reserved: number };

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
export type HeldReservation = {
  account: string | null;
  key: string | null;
  day: string;
  unit: number;
  month: string;
  readonly items: Map<number, 'held' | 'charged' | 'released'>;
  readonly refunded: Set<number>;
  /** Credits still held. */
  free: number;
  purchased: number;
  lacked: string | null;
};

export const noAccount = {
  account_id: null,
  free: null,
  purchased: null,
  reserved: null,
  version: null,
  month: null,
};
/** Answers without items. */
export const noItems = { held: null, charged: null, lacked: null, cap_left: null };
export const monthText = (now: Date): string => now.toISOString().slice(0, 7);
export const dayText = (now: Date): string => now.toISOString().slice(0, 10);
