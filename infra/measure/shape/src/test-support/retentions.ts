import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';
import { ts } from 'ts-morph';
import { createTextReader, type Given, NOTHING, nameIn } from './statement-texts.ts';
import type { Sources } from './statements.ts';

/** How long the code keeps rows of a table after what their age says; null is an age that this does not read. */
type Retention = { readonly table: string; readonly where: string; readonly days: number | null | undefined };

const DAY_MS = 86_400_000;
const units: Readonly<Record<string, number>> = { hour: 1 / 24, day: 1, week: 7, month: 31, year: 365 };
const numbers: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
};
const LENGTH = /\b(a|an|two|three|four|five|six|seven|eight|nine|ten|\d+) (hour|day|week|month|year)s?\b/;

const toDays = (text: string): number | null => {
  const [, number = '', unit = ''] = LENGTH.exec(text) ?? [];
  const length = units[unit];
  return length === undefined ? null : (numbers[number] ?? Number(number)) * length;
};

/** What `Kept: deleted ...` says above a model, by `service/table`, in days; null where it names no time. */
export const readPromises = (): ReadonlyMap<string, number | null> =>
  new Map(
    globSync('services/*/prisma/schema.prisma', { cwd: workspaceRoot }).flatMap((file) => {
      const text = readFileSync(path.join(workspaceRoot, file), 'utf8');
      const models = text.matchAll(
        /^\/\/\/ Kept: (.+)\n(?:\/\/\/ .*\n)*model \w+ \{(?:(?!^\})[\s\S])*?@@map\("(\w+)"\)/gm,
      );
      return [...models].map(
        ([, kept = '', table = '']) =>
          [`${file.split('/')[1]}/${table}`, kept.startsWith('deleted when') ? 0 : toDays(kept)] as const,
      );
    }),
  );

const readProperty = (node: ts.ObjectLiteralExpression, name: string): string | undefined => {
  const found = node.properties.find((one) => ts.isPropertyAssignment(one) && one.name.getText() === name);
  const value = found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
  return value && ts.isStringLiteralLike(value) ? value.text : undefined;
};

/** The retention of each purge of rows by their age: an interval of Postgres, or a moment before now. */
export const findRetentions = ({ files, program }: Sources): Retention[] => {
  const { readText, find, enter } = createTextReader(program.getTypeChecker());
  /** Of `earlier(now, ms)`, `later(now, -ms)` and `new Date(now.getTime() - ms)`. */
  const readDistance = (age: ts.Expression, given: Given): string | null => {
    if (ts.isPrefixUnaryExpression(age)) return readText(age.operand, given);
    if (ts.isCallExpression(age)) return age.arguments[1] ? readDistance(age.arguments[1], given) : null;
    if (!ts.isNewExpression(age)) return readText(age, given);
    const [time] = age.arguments ?? [];
    return time && ts.isBinaryExpression(time) ? readText(time.right, given) : null;
  };
  const readDays = (age: ts.Expression, given: Given): number | null => {
    const text = readDistance(age, given);
    return text === null || text === ''
      ? null
      : Number.isNaN(Number(text))
        ? toDays(text)
        : Number(text) / DAY_MS;
  };
  const rowsOf = (node: ts.Expression): string | undefined => {
    const rows = ts.isIdentifier(node) ? find(node, NOTHING) : node;
    return rows && ts.isObjectLiteralExpression(rows) && readProperty(rows, 'age')
      ? readProperty(rows, 'table')
      : undefined;
  };
  const found: Retention[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const table = node.arguments.map(rowsOf).find((one) => one !== undefined);
      const isDirect = nameIn(node.expression) === 'purgeOlder';
      const entered = isDirect ? { body: node, given: NOTHING } : enter(node, NOTHING);
      if (table && entered && ts.isCallExpression(entered.body)) {
        const file = path.relative(workspaceRoot, node.getSourceFile().fileName);
        const age = entered.body.arguments[2];
        found.push({
          table: `${file.split('/')[1]}/${table}`,
          where: file,
          days: age ? readDays(age, entered.given) : null,
        });
      }
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files.map((one) => program.getSourceFile(one))) if (file) visit(file);
  return found;
};
