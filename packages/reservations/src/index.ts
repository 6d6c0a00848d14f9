export { assertHeld } from './assert-held.ts';
export {
  compareWithLedger,
  type Delivery,
  type ReservationOwner,
  type Resolution,
} from './compare-with-ledger.ts';
