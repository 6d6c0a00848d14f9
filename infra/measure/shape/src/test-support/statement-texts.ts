import { ts } from 'ts-morph';

/** What is given to the parameters of a function that is being read. */
export type Given = ReadonlyMap<ts.Symbol, ts.Expression>;

export const NOTHING: Given = new Map();

export const nameIn = (node: ts.Expression): string =>
  ts.isPropertyAccessExpression(node) ? node.name.text : ts.isIdentifier(node) ? node.text : '';

const calculate = (operator: ts.SyntaxKind, left: string, right: string): string | null => {
  if (operator === ts.SyntaxKind.AsteriskToken) return String(Number(left) * Number(right));
  if (operator !== ts.SyntaxKind.PlusToken) return null;
  return Number.isNaN(Number(left)) ? left + right : String(Number(left) + Number(right));
};

/** Reads constants and functions that only fill in a template. */
const createSources = (checker: ts.TypeChecker) => {
  const find = (node: ts.Expression, given: Given): ts.Expression | undefined => {
    const symbol = checker.getSymbolAtLocation(node);
    if (!symbol) return undefined;
    const { valueDeclaration } =
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const isValue =
      valueDeclaration &&
      (ts.isVariableDeclaration(valueDeclaration) || ts.isPropertyAssignment(valueDeclaration));
    return given.get(symbol) ?? (isValue ? valueDeclaration.initializer : undefined);
  };
  const enter = (call: ts.CallExpression, given: Given) => {
    const made = find(call.expression, given);
    if (!made || !ts.isArrowFunction(made) || ts.isBlock(made.body)) return null;
    const inner = new Map(given);
    for (const [at, { name, initializer }] of made.parameters.entries()) {
      const symbol = checker.getSymbolAtLocation(name);
      const value = call.arguments[at] ?? initializer;
      if (symbol && value) inner.set(symbol, value);
    }
    return { body: made.body, given: inner };
  };
  return { find, enter };
};

type Parts = { readonly head: string; readonly spans: readonly (readonly [ts.Expression, string])[] };
const partsOf = (template: ts.TemplateLiteral): Parts =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? { head: template.text, spans: [] }
    : {
        head: template.head.text,
        spans: template.templateSpans.map(({ expression, literal }) => [expression, literal.text]),
      };

const join = ({ head, spans }: Parts, read: (expression: ts.Expression) => string | null): string | null => {
  let text = head;
  for (const [expression, literal] of spans) {
    const part = read(expression);
    if (part === null) return null;
    text += part + literal;
  }
  return text;
};

/** Reads texts of SQL out of syntax trees; null is a text that is put together while the program runs. */
export const createTextReader = (checker: ts.TypeChecker) => {
  const { find, enter } = createSources(checker);
  const readText = (node: ts.Expression, given = NOTHING): string | null => {
    if (ts.isNumericLiteral(node)) return String(Number(node.text));
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))
      return readText(node.expression, given);
    if (ts.isTemplateExpression(node)) return join(partsOf(node), (part) => readText(part, given));
    if (ts.isBinaryExpression(node)) {
      const [left, right] = [readText(node.left, given), readText(node.right, given)];
      return left === null || right === null ? null : calculate(node.operatorToken.kind, left, right);
    }
    if (ts.isCallExpression(node)) {
      const entered = enter(node, given);
      return entered && readText(entered.body, entered.given);
    }
    const value = find(node, given);
    return value ? readText(value, given) : null;
  };
  const isFragment = (node: ts.Expression) =>
    /\bSql\b/.test(checker.typeToString(checker.getTypeAtLocation(node)));
  const readFragment = (node: ts.Expression, given = NOTHING, count = { values: 0 }): string | null => {
    if (ts.isTaggedTemplateExpression(node)) return readTagged(node.template, given, count);
    if (ts.isConditionalExpression(node)) return readFragment(node.whenTrue, given, count);
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'empty') return '';
    if (ts.isCallExpression(node)) {
      const [first] = node.arguments;
      if (nameIn(node.expression) === 'raw') return first ? readText(first, given) : null;
      const entered = enter(node, given);
      return entered && readFragment(entered.body, entered.given, count);
    }
    const value = find(node, given);
    return value ? readFragment(value, given, count) : null;
  };
  /** A template of Prisma: values become parameters, and fragments a part of the text. */
  const readTagged = (template: ts.TemplateLiteral, given = NOTHING, count = { values: 0 }): string | null =>
    join(partsOf(template), (expression) => {
      if (isFragment(expression)) return readFragment(expression, given, count);
      count.values += 1;
      return `$${count.values}`;
    });
  return { readText, readTagged, readFragment, find, enter };
};
