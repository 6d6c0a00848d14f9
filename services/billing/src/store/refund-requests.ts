import { newId } from '@tds/contracts';
import type { RefundState } from '../domain/processor-statuses.ts';
import type { Db } from './database.ts';

export type RequestState = 'asked' | 'taken' | 'submitted' | 'refused';
export type RefundRequest = {
  readonly id: string;
  readonly purchaseId: string;
  readonly state: RequestState;
  readonly processorId: string | null;
};

const SELECTED = { id: true, purchaseId: true, state: true, processorId: true } as const;

export const findRequest = async (db: Db, purchaseId: string): Promise<RefundRequest | null> =>
  (await db.refundRequest.findUnique({ where: { purchaseId }, select: SELECTED })) as RefundRequest | null;

type Asked = { readonly purchaseId: string; readonly reason: string | null; readonly state: RequestState };

/** One for each purchase; the first stays. */
export const insertRequest = async (db: Db, asked: Asked, askedAt: Date): Promise<void> => {
  await db.refundRequest.createMany({ data: [{ ...asked, id: newId(), askedAt }], skipDuplicates: true });
};

/** Nothing was taken back, so nothing was asked for. */
export const forgetRequest = async (db: Db, purchaseId: string): Promise<void> => {
  await db.refundRequest.deleteMany({ where: { purchaseId, state: 'asked' } });
};

export const markTaken = async (db: Db, purchaseId: string): Promise<void> => {
  await db.refundRequest.updateMany({ where: { purchaseId, state: 'asked' }, data: { state: 'taken' } });
};

/** Null for what the processor has refused. */
export const markSubmitted = async (
  db: Db,
  purchaseId: string,
  processorId: string | null,
): Promise<void> => {
  const state: RequestState = processorId === null ? 'refused' : 'submitted';
  await db.refundRequest.updateMany({ where: { purchaseId, state: 'taken' }, data: { state, processorId } });
};

/** The processor's word on refunds, by their ids there. */
export const statusesOf = async (db: Db, ids: readonly string[]): Promise<Map<string, RefundState>> => {
  const rows = await db.refund.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, status: true },
  });
  return new Map(rows.map(({ id, status }) => [id, status as RefundState]));
};

export const requestsOf = async (
  db: Db,
  purchaseIds: readonly string[],
): Promise<Map<string, RefundRequest>> => {
  const where = { purchaseId: { in: [...purchaseIds] } };
  const rows = (await db.refundRequest.findMany({ where, select: SELECTED })) as RefundRequest[];
  return new Map(rows.map((row) => [row.purchaseId, row]));
};
