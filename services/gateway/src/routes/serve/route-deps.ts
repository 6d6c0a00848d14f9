import type { KeyRing } from '@tds/base';
import type { routes } from '@tds/http-api';
import type { Call } from '@tds/kit';
import type { Objects } from '@tds/objects';
import type { CacheReads, ColdLeases, KeyLimits, PublicCallers } from '../../admission/index.ts';
import type {
  FeedMemory,
  LinkMemory,
  ListingMemory,
  Passages,
  PriceMemory,
  StoredTranscripts,
  TranscriptMemory,
} from '../../cache/index.ts';
import type { GatewayConfig } from '../../config.ts';
import type { AuthorizationServer } from '../../oauth/index.ts';
import type { MonotonicClock } from '../../redis/index.ts';
import type { WaivedRequests } from '../../refunds/index.ts';
import type { LibraryReads, Usage } from '../../reports/index.ts';
import type { StatusWatch } from '../../status/index.ts';
import type { JobStreams } from '../../streams/index.ts';
import type { Surface } from '../../surface.ts';
import type { AnswerTo } from './route-answer.ts';

/** The complete answer of a page of a listing. */
type PageAnswer = AnswerTo<typeof routes.listVideos> & { readonly body: Buffer };

/** What handlers depend on. */
export type RouteDeps = {
  readonly call: Call<Surface>;
  readonly objects: Objects;
  readonly config: GatewayConfig;
  readonly now: () => Date;
  readonly clock: MonotonicClock;
  readonly limits: KeyLimits;
  /** How long a cold read waits before it is answered 202. */
  readonly coldWaitMs: number;
  /** The process stops: waiting callers are answered 202 and poll another instance. */
  readonly isEnding: () => boolean;
  readonly reads: CacheReads;
  readonly leases: ColdLeases;
  readonly memory: TranscriptMemory;
  readonly stored: StoredTranscripts;
  readonly passages: Passages;
  readonly listings: ListingMemory<PageAnswer>;
  readonly prices: PriceMemory;
  readonly feeds: FeedMemory;
  readonly links: LinkMemory;
  readonly publicCallers: Pick<PublicCallers, 'countLink'>;
  readonly jobStreams: JobStreams;
  /** What accounts have received. */
  readonly library: LibraryReads;
  readonly usage: Usage;
  readonly waived: WaivedRequests;
  readonly status: StatusWatch;
  readonly oauth: AuthorizationServer;
  readonly codeMacs: ReturnType<KeyRing['forUse']>;
  readonly webhookCipher: ReturnType<KeyRing['cipher']>;
};
