import type { MailCatcher } from '@tds/local';
import type { PaymentSimulator } from '@tds/simulators/payment';
import type { PlatformSimulator } from '@tds/simulators/platform';
import type { WebhookReceiver } from '@tds/simulators/webhooks';
import type { ServiceProcess } from './service-process.ts';

/** A server that may be hurt. Its keeper starts it again when a signal has ended it. */
export type HurtServer = {
  signal(signal: NodeJS.Signals): void | Promise<void>;
  /** Ends it until `restart`. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
};

/** With the administrator's address. */
export type HurtPostgres = HurtServer & { readonly url: string };

export type HurtBroker = HurtServer & {
  readonly name: string;
  /** The folder in which it keeps its streams. */
  readonly streams: string;
};

/** A whole system of its own, every part of it a process or a container that may be hurt. */
export type HurtSystem = {
  /** What the harness keeps of it. */
  readonly dir: string;
  readonly gateway: string;
  readonly simulator: PlatformSimulator;
  readonly payment: PaymentSimulator;
  readonly mail: MailCatcher;
  /** Of all customers. No fault hurts it, so it has all webhooks that came. */
  readonly receiver: WebhookReceiver;
  readonly processes: readonly ServiceProcess[];
  /** The Postgres that has a database: one has all, or each has its own. */
  postgresOf(database: string): HurtPostgres;
  readonly servers: {
    readonly nats: { readonly servers: string; seedOf(user: string): string };
    /** The operator's address. */
    readonly redis: HurtServer & { readonly url: string };
  };
  /** One, or three of one cluster. */
  readonly brokers: readonly HurtBroker[];
  /** The operator's address of Redis, reached as the services reach it. */
  readonly redisUrl: string;
  /** The environment that a service runs in, for its operators' commands. */
  readonly environmentOf: Readonly<Record<string, NodeJS.ProcessEnv>>;
  /** Takes away the network between one process and all servers, and restores it. */
  setReachable(process: string, isReachable: boolean): Promise<void>;
  /** Does to an installation what a section of docs/operations.md has people type. */
  operate?(section: string): Promise<void>;
  /** If it began as an older release: brings the databases to that or to this one; the next life of each process is of it. */
  release?(which: 'older' | 'this'): Promise<void>;
  /** The logs of everybody, those of services first. */
  logs(): Promise<readonly string[]>;
  stop(): Promise<void>;
};
