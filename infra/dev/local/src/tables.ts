import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A table of a service, or of the kit, which every service has. */
export type Table = {
  readonly owner: string;
  readonly name: string;
  /** What bounds the rows that requests add: `per account, ...` or `in all, ...`. */
  readonly bound: string;
  /** How long a row stays: `deleted ...`, or `for ever: <why>`. */
  readonly kept: string;
  /** A statement of its owner deletes rows of it, or they go with the row that they belong to. */
  readonly isDeleted: boolean;
};

type Declaration = Pick<Table, 'name' | 'bound' | 'kept'> & { readonly model: string };

/** A declaration, and the lines of its comment. */
const models = /(?<comment>(?:^\/\/\/ .*\n)*)^model (?<word>\w+) \{(?<body>[\s\S]*?)^\}/gm;
const creations = /(?<comment>(?:^-- .*\n)*)^CREATE TABLE (?!months\.)(?<word>[\w.]+) \(/gm;

const readComment = (comment: string, word: string): string =>
  new RegExp(`^(?:///|--) ${word}: (.+)$`, 'm').exec(comment)?.[1] ?? '';

const parseDeclarations = (text: string, pattern: RegExp): Declaration[] =>
  [...text.matchAll(pattern)].map(({ groups = {} }) => {
    const { comment = '', word = '', body = '' } = groups;
    return {
      name: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? word,
      model: `${word.charAt(0).toLowerCase()}${word.slice(1)}`,
      bound: readComment(comment, 'Bound'),
      kept: readComment(comment, 'Kept'),
    };
  });

const readAll = (root: string, patterns: readonly string[]): string =>
  globSync([...patterns], { cwd: root })
    .filter((path) => !/\.test\.ts$|\/test-support\/|\/store\/prisma\//.test(path))
    .sort()
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');

const deletes = (source: string, { name, model }: Declaration): boolean =>
  new RegExp(`DELETE FROM ${name}\\b|\\.${model}\\.delete(?:Many)?\\(|table: '${name}',\\s*age:`).test(
    source,
  ) || new RegExp(`CREATE TABLE ${name} \\([^;]*ON DELETE CASCADE`).test(source);

/** The tables that the migrations in a folder make; what is said of them stands beside them, or in the schema of Prisma. */
const readFolderTables = (root: string, folder: string): Table[] => {
  const owner = folder.replace(/^.*\//, '');
  const source = readAll(root, [`${folder}/src/**/*.ts`, `${folder}/prisma*/**/*.sql`]);
  const declarations = parseDeclarations(readAll(root, [`${folder}/prisma/schema.prisma`]), models);
  const migrations = readAll(root, [`${folder}/prisma*/migrations/**/*.sql`]);
  return parseDeclarations(migrations, creations).map((created) => {
    const table = declarations.find(({ name }) => name === created.name) ?? created;
    const { name, bound, kept } = table;
    return { owner, name, bound, kept, isDeleted: deletes(source, table) };
  });
};

export const readTables = (root: string): Table[] =>
  globSync(['packages/*/prisma', 'services/*/prisma'], { cwd: root })
    .sort()
    .flatMap((path) => readFolderTables(root, path.replace(/\/prisma$/, '')));

/** What a table lacks: every table says what bounds it and how long its rows stay, and what is said to be deleted is. */
export const tableProblems = (tables: readonly Table[]): string[] =>
  tables.flatMap(({ owner, name, bound, kept, isDeleted }) => {
    const table = `${owner}: the table ${name}`;
    return [
      ...(/^(?:per account|in all), \S/.test(bound)
        ? []
        : [`${table} needs a line "Bound: per account, ..." or "Bound: in all, ..."`]),
      ...(/^(?:deleted |for ever: \S)/.test(kept)
        ? []
        : [`${table} needs a line "Kept: deleted ..." or "Kept: for ever: <why>"`]),
      ...(kept.startsWith('deleted') && !isDeleted
        ? [`${table} is said to be deleted, and no statement does`]
        : []),
    ];
  });

const section = ([owner, tables = []]: [string, Table[] | undefined]): string => `## ${owner}

| Table | Bound | A row is kept |
|---|---|---|
${tables.map(({ name, bound, kept }) => `| \`${name}\` | ${bound} | ${kept} |`).join('\n')}
`;

/** The list of all tables in Markdown. */
export const tablesMarkdown = (tables: readonly Table[]): string => `# Tables

What bounds each table, and how long its rows are kept. Derived from the lines \`Bound\` and \`Kept\` above each model in
\`services/*/prisma/schema.prisma\`, and above each table of the kit, which every service has. "A key" stands for a slot of the account.

${Object.entries(Object.groupBy(tables, ({ owner }) => owner))
  .map(section)
  .join('\n')}`;
