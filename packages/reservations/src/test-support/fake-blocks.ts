import type { creditsLedger, FoundBlock, GrantedBlock, GrantOutcome, ReplyOf, RequestOf } from '@tds/contracts';
import type { FakeBlock, FakeBooks } from './fake-books.ts';
import { itemsIn } from './fake-reservation.ts';

type Outcome<Name extends 'takeBackBlock' | 'correctBlock'> = ReplyOf<(typeof creditsLedger)[Name]>['outcome'];

/** The credits of an account, less its debt, fill its newest block first. */
const leftOf = ({ accounts, blocks }: FakeBooks, block: FakeBlock): number => {
  const own = [...blocks.values()].filter(({ accountId }) => accountId === block.accountId);
  const newer = own.slice(own.indexOf(block) + 1).reduce((sum, { net }) => sum + net, 0);
  const { purchased = 0, debt = 0 } = accounts.get(block.accountId) ?? {};
  return Math.max(0, Math.min(block.net, purchased - debt - newer));
};

const change = (books: FakeBooks, block: FakeBlock, net: number): void => {
  const credits = net - block.net;
  block.net = net;
  if (credits > 0) books.grant(block.accountId, credits);
  if (credits >= 0) return;
  const account = books.account(block.accountId);
  const missing = Math.max(0, -credits - account.purchased);
  account.debt += missing;
  account.purchased += missing + credits;
  account.version += 1;
};

const findBlock = (books: FakeBooks, { accountId, ref }: { accountId: string; ref: string }) => {
  const block = books.blocks.get(ref);
  return block?.accountId === accountId ? block : undefined;
};

type BoughtBlock = RequestOf<typeof creditsLedger.grantPurchases>['purchases'][number];

export const grantBlock = (
  books: FakeBooks,
  { accountId, ref, amount }: BoughtBlock,
  now: Date,
): GrantOutcome => {
  const existing = books.blocks.get(ref);
  if (existing && (existing.accountId !== accountId || existing.amount !== amount)) return 'conflict';
  const isClosed = !existing && books.closed.has(accountId);
  if (!existing && !isClosed) {
    books.blocks.set(ref, { accountId, ref, amount, net: amount, grantedAt: now.toISOString() });
    books.grant(accountId, amount);
  }
  return isClosed ? 'closed' : 'granted';
};

export const takeBack = (
  books: FakeBooks,
  request: RequestOf<typeof creditsLedger.takeBackBlock>,
): Outcome<'takeBackBlock'> => {
  const block = findBlock(books, request);
  if (!block) return 'unknown';
  if (block.net === 0) return 'taken';
  if (books.account(block.accountId).debt > 0) return 'in_debt';
  if (leftOf(books, block) < block.amount) return 'used';
  change(books, block, 0);
  return 'taken';
};

export const correct = (
  books: FakeBooks,
  request: RequestOf<typeof creditsLedger.correctBlock>,
): Outcome<'correctBlock'> => {
  const block = findBlock(books, request);
  if (!block) return 'unknown';
  change(books, block, request.net);
  return 'corrected';
};

export const findBlocks = (books: FakeBooks, refs: readonly string[]): FoundBlock[] =>
  refs.flatMap((ref) => {
    const block = books.blocks.get(ref);
    if (!block) return [];
    const { grantedAt: _, ...found } = block;
    return [{ ...found, left: leftOf(books, block), isClosed: books.closed.has(block.accountId) }];
  });

export const listBlocks = (
  { blocks }: FakeBooks,
  { olderThanMs, youngerThanMs, after, limit }: RequestOf<typeof creditsLedger.listGrants>,
  now: Date,
): GrantedBlock[] => {
  const ageOf = ({ grantedAt }: FakeBlock) => now.getTime() - Date.parse(grantedAt);
  const grants = [...blocks.values()]
    .filter((block) => ageOf(block) >= olderThanMs && ageOf(block) < youngerThanMs)
    .map(({ accountId, ref, grantedAt }) => ({ accountId, ref, grantedAt }));
  const from = grants.findIndex(({ ref }) => ref === after?.ref) + 1;
  return grants.slice(from, from + limit);
};

/** The cost of an account's deliveries, in credits. */
export const spentBy = ({ reservations }: FakeBooks, accountId: string): number =>
  [...reservations.values()]
    .filter((held) => held.accountId === accountId)
    .reduce((sum, held) => sum + held.unit * itemsIn(held, 'charged').length, 0);
