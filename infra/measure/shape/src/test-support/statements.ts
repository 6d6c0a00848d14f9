import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';
import { Project, ts } from 'ts-morph';
import { createTextReader, nameIn } from './statement-texts.ts';

/** Of the values of a column as the code has it; `json` is what no simpler kind is. */
export type Kind = 'string' | 'number' | 'boolean' | 'bigint' | 'date' | 'bytes' | 'json' | `${string}[]`;
/** The columns that the code reads, by name, each with the kinds that its type allows. */
export type Columns = Readonly<Record<string, readonly Kind[]>>;
export type Statement = {
  /** File and line. */
  readonly where: string;
  /** Prisma reads some types otherwise. */
  readonly driver: 'pg' | 'prisma';
  /** Null if it is put together while the program runs. */
  readonly text: string | null;
  readonly columns: Columns;
};

const TAGS = new Set(['$queryRaw', '$executeRaw']);
const CALLS = new Set(['sql', 'query', '$queryRawUnsafe', '$executeRawUnsafe']);

const simpleKinds: readonly (readonly [number, Kind])[] = [
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.BigIntLike, 'bigint'],
];

const findFiles = (): string[] =>
  globSync('{services,packages}/*/src/**/*.ts', { cwd: workspaceRoot })
    .filter((file) => !/\.test\.ts$|test-support|\/testing\/|\/prisma\//.test(file))
    .map((file) => path.join(workspaceRoot, file))
    .filter((file) => /\b(?:sql|query)[<(]|\$(?:query|execute)Raw|purgeOlder/.test(readFileSync(file, 'utf8')));

const createProgram = (files: readonly string[]): ts.Program => {
  const project = new Project({
    tsConfigFilePath: path.join(workspaceRoot, 'tsconfig.json'),
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
  });
  project.addSourceFilesAtPaths([...files]);
  return project.getProgram().compilerObject;
};

/** Reads the columns of a statement out of the type of its answer: rows, or a result of `pg` with rows. */
const createColumnReader = (checker: ts.TypeChecker) => {
  const elementOf = (type: ts.Type): ts.Type | undefined =>
    checker.isArrayType(type) || checker.isTupleType(type)
      ? checker.getTypeArguments(type as ts.TypeReference)[0]
      : undefined;
  const kindOf = (type: ts.Type): Kind => {
    const simple = simpleKinds.find(([flag]) => (type.flags & flag) !== 0);
    if (simple) return simple[1];
    const element = elementOf(type);
    if (element) return `${kindsOf(element).join('|')}[]`;
    const name = type.symbol?.name;
    return name === 'Date' ? 'date' : name === 'Buffer' || name === 'Uint8Array' ? 'bytes' : 'json';
  };
  const kindsOf = (type: ts.Type): readonly Kind[] => {
    const known = checker.getNonNullableType(type);
    return [...new Set((known.isUnion() ? known.types : [known]).map(kindOf))];
  };
  return (statement: ts.Expression): Columns => {
    const answer = checker.getAwaitedType(checker.getTypeAtLocation(statement));
    const rows = answer?.getProperty('rows');
    const list = rows ? checker.getTypeOfSymbol(rows) : answer;
    const read = (list && elementOf(list)?.getProperties()) ?? [];
    return Object.fromEntries(
      read
        .filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0)
        .map((property) => [property.name, kindsOf(checker.getTypeOfSymbol(property))]),
    );
  };
};

/** The text of a call, of which `named` makes one with a name. */
const withoutName = (text: ts.Expression): ts.Expression =>
  ts.isCallExpression(text) && nameIn(text.expression) === 'named' ? (text.arguments[0] ?? text) : text;

/** The files with raw statements, and the program that they are a part of. */
export const readSources = () => {
  const files = findFiles();
  return { files, program: createProgram(files) };
};
export type Sources = ReturnType<typeof readSources>;

/** All raw statements of services and packages. A conditional text is two. */
export const findStatements = ({ files, program }: Sources): Statement[] => {
  const checker = program.getTypeChecker();
  const { readText, readTagged, readFragment } = createTextReader(checker);
  const readColumns = createColumnReader(checker);
  const found: Statement[] = [];
  const add = (node: ts.Expression, driver: Statement['driver'], text: string | null) => {
    const file = node.getSourceFile();
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const where = `${path.relative(workspaceRoot, file.fileName)}:${line}`;
    found.push({ where, driver, text, columns: readColumns(node) });
  };
  const addCall = (node: ts.CallExpression, name: string, text: ts.Expression) => {
    for (const one of ts.isConditionalExpression(text) ? [text.whenTrue, text.whenFalse] : [text]) {
      if (TAGS.has(name)) add(node, 'prisma', readFragment(one));
      else add(node, name.startsWith('$') ? 'prisma' : 'pg', readText(withoutName(one)));
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && TAGS.has(nameIn(node.tag)))
      add(node, 'prisma', readTagged(node.template));
    if (ts.isCallExpression(node)) {
      const name = nameIn(node.expression);
      const [text] = node.arguments;
      // Without a type it is a query of another kind, or one whose rows nobody reads.
      const isRead = name !== 'query' || node.typeArguments !== undefined;
      if (text && isRead && (TAGS.has(name) || CALLS.has(name))) addCall(node, name, text);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files.map((one) => program.getSourceFile(one))) if (file) visit(file);
  return found;
};
