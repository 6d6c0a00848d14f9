export { type Receiver, signatureOf } from './deliveries.ts';
export {
  defaultPrices,
  type PaymentSimulator,
  startPaymentSimulator,
} from './start-payment-simulator.ts';
export type { Price, Resource } from './state.ts';
