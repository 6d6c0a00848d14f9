import { nkeys } from '@nats-io/nats-core';
import type { Event, Surface } from '@tds/contracts';
import {
  consumerNameOf,
  defaultStreamLimits,
  emittedReader,
  eventStreamName,
  inboxOf,
  isStored,
  listStreams,
  lostEventsReader,
  OPERATOR,
  PROVISIONER,
  publicNkeyOf,
  streamDeleted,
  workSubject,
} from '@tds/messaging/internals';

/** Subjects that a user of the broker may use, as the broker's configuration takes them; everything else is denied. */
export type Permissions = { readonly publish: readonly string[]; readonly subscribe: readonly string[] };

const API = '$JS.API';

/** The client asks for INFO when heartbeats of the broker do not come. */
const verbsOfConsumers = ['INFO', 'DELETE', 'MSG.NEXT'];

const readerRights = (stream: string, consumer: string, subject: string): string[] => [
  `${API}.CONSUMER.CREATE.${stream}.${consumer}.${subject}`,
  ...verbsOfConsumers.map((verb) => `${API}.CONSUMER.${verb}.${stream}.${consumer}`),
];

/** The rights to consume and acknowledge messages of this stream and subject. */
const consuming = (stream: string, consumer: string, subject: string): string[] => [
  ...readerRights(stream, consumer, subject),
  `$JS.ACK.${stream}.${consumer}.>`,
  // The form that servers from 2.14 on may be configured to use.
  `$JS.ACK.*.*.${stream}.${consumer}.>`,
];

const consumerRights = (service: string, event: Event): string[] => {
  const name = eventStreamName(event.owner);
  const consumer = consumerNameOf(service, event);
  return [
    `${API}.STREAM.INFO.${name}`,
    ...consuming(name, consumer, event.subject),
    ...readerRights(name, lostEventsReader(consumer), event.subject),
  ];
};

const emitterRights = ({ name, contract }: Surface): string[] => {
  const events = Object.values(contract.events);
  if (events.length === 0) return [];
  const stream = eventStreamName(name);
  return [
    ...events.map(({ subject }) => subject),
    `${API}.STREAM.INFO.${stream}`,
    ...readerRights(stream, emittedReader(name), `evt.${name}.>`),
  ];
};

const findCallers = ({ name }: Surface, all: readonly Surface[]): string[] =>
  all.filter(({ calls }) => calls.some(({ owner }) => owner === name)).map((caller) => caller.name);

const responderRights = (surface: Surface, all: readonly Surface[]): Permissions => {
  const { name, contract } = surface;
  const commands = Object.values(contract.commands);
  if (commands.length === 0) return { publish: [], subscribe: [] };
  return {
    publish: [
      ...findCallers(surface, all).map((caller) => `${inboxOf(caller, name)}.>`),
      `${inboxOf(OPERATOR)}.>`,
    ],
    subscribe: [
      // With the queue that its instances share, and no other way.
      ...commands.map(({ subject }) => `${subject} ${name}`),
      ...['PING', 'STATS', 'INFO'].flatMap((verb) => [
        `$SRV.${verb}`,
        `$SRV.${verb}.${name}`,
        `$SRV.${verb}.${name}.*`,
      ]),
    ],
  };
};

const unique = (subjects: readonly string[]): string[] => [...new Set(subjects)];

/** The rights that a service's surface needs; `all` are the surfaces that may call it. */
export const buildPermissions = (surface: Surface, all: readonly Surface[]): Permissions => {
  const { name, calls, subscriptions, broadcasts } = surface;
  const answers = responderRights(surface, all);
  return {
    publish: unique([
      ...calls.map(({ subject }) => subject),
      ...answers.publish,
      ...emitterRights(surface),
      ...(isStored(surface) ? [workSubject(name)] : []),
      ...subscriptions.flatMap((event) => consumerRights(name, event)),
    ]),
    subscribe: unique([
      `${inboxOf(name)}.>`,
      ...answers.subscribe,
      ...broadcasts.map(({ subject }) => subject),
      ...(isStored(surface) ? [workSubject(name)] : []),
    ]),
  };
};

/** Of the one who makes streams, and touches nothing in them. */
export const provisionerPermissions = (all: readonly Surface[]): Permissions => ({
  publish: all
    .flatMap((surface) => listStreams(surface, defaultStreamLimits))
    .flatMap(({ name }) => ['CREATE', 'UPDATE', 'INFO'].map((verb) => `${API}.STREAM.${verb}.${name}`)),
  subscribe: [`${inboxOf(PROVISIONER)}.>`, streamDeleted('*')],
});

/** A machine that is busy with other things takes its time to sign, and an attempt that is cut begins with nothing. */
const TIMEOUT_SECONDS = 30;
const text = new TextDecoder();
const newSeed = (): string => text.decode(nkeys.createUser().getSeed());

/** An empty list of what is allowed would allow everything. */
const rights = (allowed: readonly string[]): string =>
  allowed.length === 0 ? '{ deny: ">" }' : `{ allow: ${JSON.stringify(allowed)} }`;

const permissionLines = ({ publish, subscribe }: Permissions): string =>
  `, permissions: { publish: ${rights(publish)}, subscribe: ${rights(subscribe)} }`;

/** One user for each service, with what its surface needs; the provisioner; and the operator, who may do everything. */
export const brokerUsers = (
  surfaces: readonly Surface[],
  secretOf: (name: string, make: () => string) => string,
) => {
  const seedOf = (user: string): string => secretOf(`nats seed of ${user}`, newSeed);
  const userLine = (user: string, permissions?: Permissions): string =>
    `    { nkey: ${publicNkeyOf(seedOf(user))}${permissions ? permissionLines(permissions) : ''} }`;
  const lines = [
    ...surfaces.map((surface) => userLine(surface.name, buildPermissions(surface, surfaces))),
    userLine(PROVISIONER, provisionerPermissions(surfaces)),
    userLine(OPERATOR),
  ];
  return {
    /** For the broker's configuration: the public keys and rights of all users, and no secret. */
    authorization: `authorization {\n  timeout: ${TIMEOUT_SECONDS}\n  users = [\n${lines.join('\n')}\n  ]\n}`,
    /** The seed of a user: a service, the provisioner or the operator. */
    seedOf,
  };
};
export type BrokerUsers = ReturnType<typeof brokerUsers>;
