import type { MigrationFolder } from '@tds/migrations';

/** What processes of the release before neither read nor write. */
const EXPANDS = [
  /^CREATE (?:TABLE|TYPE|SCHEMA|SEQUENCE|TEXT SEARCH DICTIONARY|(?:OR REPLACE )?FUNCTION|INDEX CONCURRENTLY) /,
  /^ALTER TABLE \S+ ADD COLUMN (?!.* (?:UNIQUE|PRIMARY KEY|GENERATED)\b)(?:(?!.* NOT NULL\b)|(?=.* DEFAULT ))/,
  /^ALTER TABLE \S+ (?:VALIDATE CONSTRAINT |SET ~$)/,
  /^(?:INSERT INTO|UPDATE|COMMENT ON|GRANT) /,
  /^(?:ALTER INDEX \S+ SET|SELECT gin_clean_pending_list) ~$/,
];

/** What they can live with only if they no longer need what goes, or already keep to what is new. */
const CONTRACTS = [
  /^DROP (?:TABLE|TYPE|SCHEMA|SEQUENCE|TRIGGER|INDEX CONCURRENTLY) /,
  /^ALTER TABLE \S+ DROP (?:COLUMN|CONSTRAINT) /,
  /^ALTER TABLE \S+ ALTER COLUMN \S+ (?:SET DEFAULT|DROP DEFAULT|DROP NOT NULL)\b/,
  /^ALTER TABLE \S+ ADD CONSTRAINT .* (?:NOT VALID|USING INDEX \S+)$/,
  /^CREATE (?:UNIQUE INDEX CONCURRENTLY|(?:OR REPLACE )?TRIGGER) /,
  /^DELETE FROM /,
];

const MARK = /-- Contract: .*\bsince (\d+\.\d+)\b/;

/** Comments keep their words, because they may be a mark; a body or a literal may hold anything. */
const QUOTED = /--.*|\$(\w*)\$[\s\S]*?\$\1\$|'(?:''|[^'])*'/g;
const withoutQuoted = (sql: string): string =>
  sql.replaceAll(QUOTED, (text) => (text.startsWith('--') ? text.replaceAll(';', ',') : '?'));

const withoutParentheses = (text: string): string => {
  const shorter = text.replaceAll(/\s*\([^()]*\)/g, ' ~');
  return shorter === text ? text : withoutParentheses(shorter);
};

/** Makes one statement of each action of `ALTER TABLE`. */
const splitActions = (text: string): string[] => {
  const [, table, actions] = /^ALTER TABLE (?:IF EXISTS |ONLY )*(\S+) (.*)$/.exec(text) ?? [];
  return actions ? actions.split(',').map((action) => `ALTER TABLE ${table} ${action.trim()}`) : [text];
};

const parseStatements = ({ name, sql }: MigrationFolder) =>
  withoutQuoted(sql)
    .split(';')
    .flatMap((statement) => {
      const bare = statement.replaceAll(/--.*/g, '').replaceAll('"', '').replaceAll(/\s+/g, ' ').trim();
      const texts = bare === '' ? [] : splitActions(withoutParentheses(bare));
      return texts.map((text) => ({ name, text, since: MARK.exec(statement)?.[1] }));
    });

const CREATED = /^CREATE TABLE (?:IF NOT EXISTS )?(\S+)/;
const CHANGED =
  /^(?:ALTER TABLE|DELETE FROM|CREATE (?:UNIQUE )?INDEX .*\bON|CREATE (?:OR REPLACE )?TRIGGER .*\bON) (\S+)/;

/**
 * The statements of one release's migrations with which processes of the release before could not go on, each with what to do. `earlier`
 * are the releases before this one. A table that this release creates may be changed at will.
 */
export const refusedStatements = (
  migrations: readonly MigrationFolder[],
  earlier: readonly string[],
): string[] => {
  const statements = migrations.flatMap(parseStatements);
  const created = new Set(statements.map(({ text }) => CREATED.exec(text)?.[1]));
  return statements.flatMap(({ name, text, since }) => {
    const table = CHANGED.exec(text)?.[1];
    if (table !== undefined && created.has(table)) return [];
    if (EXPANDS.some((rule) => rule.test(text))) return [];
    if (!CONTRACTS.some((rule) => rule.test(text)))
      return [`${name}: ${text}: stops or breaks the release before; add something new beside it`];
    if (since !== undefined && earlier.includes(since)) return [];
    return [`${name}: ${text}: needs the comment "-- Contract: unused since <an earlier release>"`];
  });
};
