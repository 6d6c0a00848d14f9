import { databasesOn, type Evidence, openEvidence } from '@tds/audit';
import type { Receiver } from '@tds/contracts';
import type { HurtSystem, Random, ScratchSystem, ServiceProcess } from '#support';
import type { History } from './history.ts';
import type { Customer, Customers } from './load/customers.ts';
import type { Uploads } from './load/scene.ts';
import type { Traffic } from './load/traffic.ts';

/** In milliseconds of the run. */
export type Lost = { readonly from: number; readonly until: number };

/** A receiver of the load, with its path at the server that has all webhooks. */
export type LoadReceiver = Pick<Receiver, 'id' | 'form' | 'events'> & {
  readonly namedOnly: boolean;
  readonly accountId: string;
  readonly path: string;
};

/** A person of an account with a monitor. Times are milliseconds since 1970. */
export type MailedPerson = {
  readonly personId: string;
  readonly email: string;
  /** Since when they are mailed about the monitor; null if they have never chosen it. */
  readonly from: number | null;
  /** When their refusal, or their end, was acknowledged. */
  until: number | null;
};

export type CaughtMail = { readonly email: string; readonly text: string; readonly receivedAt: string };

/** What the people of an account chose of the mails of a monitor, and what has come to them. */
export type Mails = {
  monitorId: string;
  readonly people: MailedPerson[];
  readonly caught: Map<number, CaughtMail>;
};

/** Where faults happen: the system, its customers, and what was seen so far. */
export type Harness = {
  readonly system: HurtSystem;
  readonly history: History;
  readonly customers: Customers;
  readonly traffic: Traffic;
  readonly uploads: Uploads;
  readonly refilled: Customer[];
  readonly receivers: LoadReceiver[];
  readonly mails: Mails;
  /** How often the card of an account may be charged in a month, at least and at most. */
  readonly refills: Map<string, { readonly least: number; readonly most: number }>;
  /** For choices that the schedule does not make, such as which fault of the platform. */
  readonly random: Random;
  readonly evidence: Evidence;
  /** Times that a frozen worker was refused when it came back late. */
  fencings: number;
  /** A lower bound of the events that the broker had acknowledged and lost in a power cut. */
  lostByBroker: number;
  /** When the database of a service was replaced by an older copy, in milliseconds of the run. */
  readonly restores: Map<string, readonly number[]>;
  /** When a backup of everything was begun, and when everything ran again from it. */
  lost: Lost | null;
  /** Faults that could not be made, with the reason. */
  readonly impossible: Set<string>;
  say(line: string): void;
};

export const evidenceOf = ({ postgresOf }: HurtSystem): Evidence =>
  openEvidence(
    databasesOn((database) => postgresOf(database).url),
    { atRest: true },
  );

export const createHarness = (
  parts: Omit<
    Harness,
    | 'evidence'
    | 'refills'
    | 'receivers'
    | 'mails'
    | 'fencings'
    | 'lostByBroker'
    | 'restores'
    | 'lost'
    | 'impossible'
  >,
): Harness => ({
  ...parts,
  evidence: evidenceOf(parts.system),
  refills: new Map(),
  receivers: [],
  mails: { monitorId: '', people: [], caught: new Map() },
  fencings: 0,
  lostByBroker: 0,
  restores: new Map(),
  lost: null,
  impossible: new Set(),
});

/** For what can be done to processes of this machine alone. */
export const scratchOf = ({ system }: Harness): ScratchSystem => {
  if (!('network' in system)) throw new Error('only processes can be hurt like that');
  return system as ScratchSystem;
};

export const processNamed = ({ system }: Harness, name: string): ServiceProcess => {
  const found = system.processes.find((each) => each.name === name);
  if (!found) throw new Error(`there is no process ${name}`);
  return found;
};
