// Written by `npm run generate` from the error classes and codes of the contracts.
import type { ErrorClass } from '@transcript-delivery/sdk';

export const exitCodes: Readonly<Record<ErrorClass, number>> = {
  IpBlocked: 8,
  PoTokenRequired: 9,
  RateLimited: 8,
  Unavailable: 6,
  NoCaptions: 5,
  UpstreamError: 8,
  RelayUnavailable: 8,
  BudgetExhausted: 8,
  InvalidInput: 2,
  QuotaExceeded: 7,
  TurnstileFailed: 3,
  Forbidden: 3,
  InsufficientCredits: 4,
  AccountFrozen: 3,
  ConfigurationError: 9,
  NotFound: 6,
};
