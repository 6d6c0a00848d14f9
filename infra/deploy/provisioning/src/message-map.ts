import type { ScheduleShape, Surface } from '@tds/contracts';

type Message = { readonly owner: string; readonly name: string };

const list = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ') || '-';
const listNames = (messages: Readonly<Record<string, Message>>): string => list(Object.keys(messages));
const foreign = (messages: readonly Message[]): string =>
  list(messages.map(({ owner, name }) => `${owner}.${name}`));

const scheduleText = ([name, { everySeconds, onEveryInstance, whenDue }]: [string, ScheduleShape]): string =>
  `${name} every ${everySeconds} s${onEveryInstance ? ' on every instance' : ''}${whenDue ? ' while rows are due' : ''}`;

const givenRow = ({ name, contract }: Surface): string =>
  `| ${[
    name,
    listNames(contract.commands),
    listNames(contract.tasks),
    listNames(contract.events),
    listNames(contract.projections),
  ].join(' | ')} |`;

const takenRow = ({ name, calls, subscriptions, broadcasts, reads, schedules }: Surface): string =>
  `| ${[
    name,
    ...[calls, subscriptions, broadcasts, reads].map(foreign),
    list(Object.entries(schedules).map(scheduleText)),
  ].join(' | ')} |`;

const owners = (messages: readonly Message[]): string[] => [...new Set(messages.map(({ owner }) => owner))];

const arrows = (surfaces: readonly Surface[]): string[] => [
  ...surfaces.flatMap(({ name, calls }) => owners(calls).map((owner) => `  ${name} -->|calls| ${owner}`)),
  ...surfaces.flatMap(({ name, subscriptions, broadcasts }) =>
    [...subscriptions, ...broadcasts].map((event) => `  ${event.owner} -.->|${event.name}| ${name}`),
  ),
  ...surfaces.flatMap(({ name, reads }) =>
    reads.map((projection) => `  ${projection.owner} ==>|${projection.name} in Redis| ${name}`),
  ),
];

const objectRows = (surfaces: readonly Surface[]): string[] =>
  surfaces.flatMap(({ name, contract }) =>
    Object.values(contract.objects).map((kind) => {
      const readers = surfaces.filter(({ readsObjects }) => readsObjects.includes(kind));
      const readBy = readers.map((reader) => reader.name).join(', ') || '-';
      return `| ${[`\`${kind.prefix}\``, kind.what, name, readBy].join(' | ')} |`;
    }),
  );

/** The message map in Markdown: who gives and who takes what. */
export const messageMapMarkdown = (surfaces: readonly Surface[]): string => `# Message map

Derived from the contracts in \`packages/contracts\` and every service's \`src/surface.ts\`.

\`\`\`mermaid
flowchart LR
${arrows(surfaces).join('\n')}
\`\`\`

## What a service gives

| Service | Commands | Tasks (its own work) | Events | Projections |
|---|---|---|---|---|
${surfaces.map(givenRow).join('\n')}

## What it takes

| Service | Calls | Subscriptions | Broadcasts | Reads | Schedules |
|---|---|---|---|---|---|
${surfaces.map(takenRow).join('\n')}

## What lies in the object store

No other service reaches these keys ([how](../runbooks/how-to/give-rights.md#in-the-object-store-postgres)).

| Keys | What | Written, read and deleted by | Read by |
|---|---|---|---|
${objectRows(surfaces).join('\n')}
`;
