export { FakeBooks } from './fake-books.ts';
export { type FakeLedger, fakeLedger } from './fake-ledger.ts';
export { type LedgerUnderTest, ledgerConformance } from './ledger-conformance.ts';
