import type { loadServices, MailCatcher } from '@tds/local';
import type { PaymentSimulator } from '@tds/simulators/payment';
import type { PlatformSimulator } from '@tds/simulators/platform';
import type { WebhookReceiver } from '@tds/simulators/webhooks';
import type { startTestNats, TestDatabase, TestRedis } from '@tds/test-kit';

export type RedisWithUsers = TestRedis & { urlOf(user: string): string };

/** A whole system under test: started by it, or one that runs already. */
export type TestSystem = {
  readonly gateway: string;
  /** The private address of a service's /live, /ready and /metrics. */
  healthOf(service: string): string;
  /** Ends services of this process; those given start in their places, with these settings, until the file ends. */
  replaceServices(
    names: readonly string[],
    services?: Awaited<ReturnType<typeof loadServices>>,
    settings?: NodeJS.ProcessEnv,
  ): Promise<void>;
  /** Starts services of this process again with settings, until the file ends. */
  restartServices(names: readonly string[], settings: NodeJS.ProcessEnv): Promise<void>;
  readonly simulator: PlatformSimulator;
  readonly payment: PaymentSimulator;
  readonly mail: MailCatcher;
  /** For webhooks of everybody. */
  readonly receiver: WebhookReceiver;
  readonly nats: Awaited<ReturnType<typeof startTestNats>>;
  /** `url` is the operator's. */
  readonly redis: RedisWithUsers;
  readonly redisCache: RedisWithUsers;
  readonly databases: Readonly<Record<string, TestDatabase>>;
  /** What each service was started with. */
  readonly environmentOf: Readonly<Record<string, NodeJS.ProcessEnv>>;
  stop(): Promise<void>;
};
