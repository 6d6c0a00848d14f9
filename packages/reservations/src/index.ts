export { assertHeld } from './assert-held.ts';
export {
  compareWithLedger,
  type Delivery,
  type Holder as LedgerHolder,
  type Verdict,
} from './compare-with-ledger.ts';
