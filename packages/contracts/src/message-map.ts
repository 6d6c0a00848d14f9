import type { Surface } from './surface.ts';

const list = (items: readonly { name: string }[]): string =>
  items.map(({ name }) => `\`${name}\``).join(', ') || '-';

const row = (surface: Surface): string =>
  `| ${[
    surface.name,
    list(surface.answers),
    list(surface.does),
    list(surface.emits),
    list([...surface.hears, ...surface.watches]),
    surface.calls.map(({ owner, name }) => `\`${owner}.${name}\``).join(', ') || '-',
    list(surface.projects),
    Object.entries(surface.wakes)
      .map(([name, { everySeconds }]) => `\`${name}\` every ${everySeconds} s`)
      .join(', ') || '-',
  ].join(' | ')} |`;

const arrows = (surfaces: readonly Surface[]): string[] => {
  const calls = surfaces.flatMap(({ name, calls: called }) =>
    [...new Set(called.map(({ owner }) => owner))].map((owner) => `  ${name} -->|calls| ${owner}`),
  );
  const facts = surfaces.flatMap(({ name, hears, watches }) =>
    [...hears, ...watches].map((event) => `  ${event.owner} -.->|${event.name}| ${name}`),
  );
  return [...calls, ...facts];
};

/** The message map in Markdown: who answers, does, tells, hears and calls what. */
export const messageMapMarkdown = (surfaces: readonly Surface[]): string => `# Message map

Derived from every service's \`src/surface.ts\`.

\`\`\`mermaid
flowchart LR
${arrows(surfaces).join('\n')}
\`\`\`

| Service | Answers | Does | Emits | Hears | Calls | Projects | Wakes |
|---|---|---|---|---|---|---|---|
${surfaces.map(row).join('\n')}
`;
