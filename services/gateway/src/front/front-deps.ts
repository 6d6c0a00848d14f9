import type { BalanceCache } from '../admission/balance-cache.ts';
import type { PublicCallers } from '../admission/public-callers.ts';
import type { AssistantDeps } from '../assistant/assistant.ts';
import type { CallerAdmission } from '../principals/caller-admission.ts';
import type { NetworkGate } from '../principals/network-gate.ts';
import type { Latency } from '../reports/latency.ts';
import type { LogRequest } from '../reports/request-log.ts';
import type { ClientAddress } from './input/client-address.ts';

/** What serving a request depends on: its handler's part, and what comes before and after that. */
export type FrontDeps = AssistantDeps & {
  readonly callerAdmission: CallerAdmission;
  readonly balances: BalanceCache;
  readonly signedEvents: NetworkGate;
  readonly publicCallers: PublicCallers;
  readonly readAddress: ClientAddress;
  readonly latency: Latency;
  readonly logRequest: LogRequest;
};
