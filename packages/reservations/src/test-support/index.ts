export { FakeBooks } from './fake-books.ts';
export { type FakeLedger, fakeLedger } from './fake-ledger.ts';
export { ledgerConformance } from './ledger-conformance.ts';
export type { LedgerUnderTest } from './ledger-under-test.ts';
