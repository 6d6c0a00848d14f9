import type { Surface } from '@tds/contracts';
import type { Messaging } from '@tds/messaging';
import type { Author, CoreDeps, Transaction } from '../deps.ts';
import { type AuditEntry, insertAuditEntry } from './accounts.ts';

type TransactDeps<S extends Surface> = Pick<CoreDeps, 'db' | 'vault' | 'now'> & {
  readonly messaging: Messaging<S>;
};

/** Runs `work` in a transaction of its own, on behalf of an author. */
export const transact = <S extends Surface, Result>(
  { db, messaging, vault, now }: TransactDeps<S>,
  author: Author,
  work: (transaction: Transaction<S>) => Promise<Result>,
): Promise<Result> => {
  const startedAt = now();
  return messaging.transaction(db, (tx, send) => work({ tx, send, now: startedAt, vault, author }));
};

type Change = Omit<AuditEntry, 'at' | keyof Author> & Pick<AuditEntry, 'personId'>;

/** Audits what the author of a transaction changes in it. */
export const audit = ({ tx, now, author }: Pick<Transaction, 'tx' | 'now' | 'author'>, change: Change) =>
  insertAuditEntry(tx, { at: now, ...author, ...change });
