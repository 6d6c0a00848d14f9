import type { BalanceCache, PublicCallers } from '../admission/index.ts';
import type { AssistantDeps } from '../assistant/index.ts';
import type { CallerAdmission, NetworkGate } from '../principals/index.ts';
import type { Latency, LogRequest } from '../reports/index.ts';
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
