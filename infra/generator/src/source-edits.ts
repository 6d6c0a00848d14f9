import {
  type ArrayLiteralExpression,
  type CallExpression,
  IndentationText,
  type ObjectLiteralExpression,
  Project,
  QuoteKind,
  type SourceFile,
  SyntaxKind,
} from 'ts-morph';

/** Changes one source file by its syntax, and saves it. */
export const editSource = (path: string, change: (file: SourceFile) => void): void => {
  const project = new Project({
    skipAddingFilesFromTsConfig: true,
    manipulationSettings: {
      indentationText: IndentationText.TwoSpaces,
      quoteKind: QuoteKind.Single,
      useTrailingCommas: true,
    },
  });
  const file = project.addSourceFileAtPath(path);
  change(file);
  file.saveSync();
};

/** The one call of a function in a file, such as `defineService(...)`. Throws where there is none. */
export const callOf = (file: SourceFile, name: string): CallExpression => {
  const call = file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .find((found) => found.getExpression().getText() === name);
  if (!call) throw new Error(`${file.getFilePath()} does not call ${name}`);
  return call;
};

/** The object that is an argument of a call; an empty one is added where there is none. */
export const objectArgument = (call: CallExpression, index: number): ObjectLiteralExpression => {
  const given = call.getArguments()[index] ?? call.addArgument('{}');
  return given.asKindOrThrow(SyntaxKind.ObjectLiteralExpression);
};

const initializerOf = (object: ObjectLiteralExpression, name: string, empty: string) => {
  const found = object.getProperty(name) ?? object.addPropertyAssignment({ name, initializer: empty });
  return found.asKindOrThrow(SyntaxKind.PropertyAssignment).getInitializerOrThrow();
};

/** The object under a property; an empty one is added where there is none. */
export const objectIn = (object: ObjectLiteralExpression, name: string): ObjectLiteralExpression =>
  initializerOf(object, name, '{}').asKindOrThrow(SyntaxKind.ObjectLiteralExpression);

/** The list under a property; an empty one is added where there is none. */
export const listIn = (object: ObjectLiteralExpression, name: string): ArrayLiteralExpression =>
  initializerOf(object, name, '[]').asKindOrThrow(SyntaxKind.ArrayLiteralExpression);

/** Adds a property. Throws where there is one of its name. */
export const addProperty = (object: ObjectLiteralExpression, name: string, text: string): void => {
  if (object.getProperty(name)) {
    throw new Error(`${object.getSourceFile().getFilePath()} has a ${name} already`);
  }
  object.addProperty(text);
};

/** Imports a name from a module, once. */
export const addImport = (file: SourceFile, module: string, name: string): void => {
  const found = file.getImportDeclaration((declaration) => declaration.getModuleSpecifierValue() === module);
  if (!found) file.addImportDeclaration({ moduleSpecifier: module, namedImports: [name] });
  else if (!found.getNamedImports().some((imported) => imported.getName() === name)) {
    found.addNamedImport(name);
  }
};

/** The object that a variable is set to. */
export const objectOf = (file: SourceFile, variable: string): ObjectLiteralExpression =>
  file
    .getVariableDeclarationOrThrow(variable)
    .getInitializerOrThrow()
    .asKindOrThrow(SyntaxKind.ObjectLiteralExpression);

/** The object that a function resolves to at its end. */
export const returnedBy = (file: SourceFile, name: string): ObjectLiteralExpression => {
  const returned = file
    .getVariableDeclarationOrThrow(name)
    .getDescendantsOfKind(SyntaxKind.ReturnStatement)
    .at(-1)
    ?.getExpressionIfKind(SyntaxKind.ObjectLiteralExpression);
  if (!returned) throw new Error(`${name} in ${file.getFilePath()} returns no object`);
  return returned;
};

/** Adds a property before what may replace it: a spread at the end. */
export const addBeforeSpread = (object: ObjectLiteralExpression, text: string): void => {
  const properties = object.getProperties();
  const spread = properties.findIndex((property) => property.isKind(SyntaxKind.SpreadAssignment));
  object.insertProperty(spread < 0 ? properties.length : spread, text);
};

/** Adds an element, or a spread of one, unless it is there. */
export const addOnce = (to: ArrayLiteralExpression | ObjectLiteralExpression, text: string): void => {
  const given = 'getElements' in to ? to.getElements() : to.getProperties();
  if (given.some((node) => node.getText() === text)) return;
  if ('addElement' in to) to.addElement(text);
  else to.addProperty(text);
};
