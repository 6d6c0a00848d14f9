import type { Sender } from '@tds/service-kit';
import type { Db } from '../store/prisma-client.ts';
import type { OperatorSurface } from './operator-surface.ts';

/** One transaction, what it may tell, and its moment. */
export type OperationWork = {
  readonly tx: Db;
  readonly send: Sender<OperatorSurface>;
  readonly now: Date;
};
