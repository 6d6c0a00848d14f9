import {
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
  const manipulationSettings = {
    indentationText: IndentationText.TwoSpaces,
    quoteKind: QuoteKind.Single,
    useTrailingCommas: true,
  };
  const file = new Project({ skipAddingFilesFromTsConfig: true, manipulationSettings }).addSourceFileAtPath(
    path,
  );
  change(file);
  file.saveSync();
};

/** The first call of a function in a file, such as `defineService(...)`. Throws if there is none. */
const callOf = (file: SourceFile, name: string): CallExpression => {
  const call = file
    .getDescendantsOfKind(SyntaxKind.CallExpression)
    .find((found) => found.getExpression().getText() === name);
  if (!call) throw new Error(`${file.getFilePath()} does not call ${name}`);
  return call;
};

/** The object literal that is the last argument of a call. */
export const lastArgument = (file: SourceFile, name: string): ObjectLiteralExpression => {
  const argument = callOf(file, name).getArguments().at(-1);
  if (!argument) throw new Error(`${name} in ${file.getFilePath()} has no argument`);
  return argument.asKindOrThrow(SyntaxKind.ObjectLiteralExpression);
};

/** The object literal under a property. A missing one is added; any other value is spread into a new one. */
export const objectIn = (object: ObjectLiteralExpression, name: string): ObjectLiteralExpression => {
  const found = object.getProperty(name);
  const value = found?.asKind(SyntaxKind.PropertyAssignment)?.getInitializerOrThrow();
  if (value?.isKind(SyntaxKind.ObjectLiteralExpression)) return value;
  const spread = found ? `{ ...${value?.getText() ?? name} }` : '{}';
  found?.remove();
  return object
    .addPropertyAssignment({ name, initializer: spread })
    .getInitializerIfKindOrThrow(SyntaxKind.ObjectLiteralExpression);
};

/** Adds a property. Throws if one has its name already. */
export const addProperty = (object: ObjectLiteralExpression, name: string, text: string): void => {
  if (object.getProperty(name)) {
    throw new Error(`${object.getSourceFile().getFilePath()} has ${name} already`);
  }
  object.addProperty(text);
};

/** Imports a name from a module, once. */
export const addImport = (file: SourceFile, module: string, name: string): void => {
  const found = file.getImportDeclaration((declaration) => declaration.getModuleSpecifierValue() === module);
  if (!found) file.addImportDeclaration({ moduleSpecifier: module, namedImports: [name] });
  else if (!found.getNamedImports().some((imported) => imported.getName() === name))
    found.addNamedImport(name);
};
