export type Json = { readonly [key: string]: unknown };
export type AnswerDescription = {
  /** It is one of the answers that routes share. */
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Json>>;
  readonly content?: Readonly<Record<string, Json>>;
};
export type Operation = { readonly responses: Readonly<Record<string, AnswerDescription>> };
export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, Json>>;
    readonly responses?: Readonly<Record<string, AnswerDescription>>;
  };
};

/** A place in the document, as a JSON pointer. */
export const pointer = (...parts: readonly string[]): string =>
  parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The path of the document that a request's path belongs to. */
export const findPath = (document: OpenApiDocument, pathname: string): string | undefined => {
  const fits = (template: string): boolean =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
  return (
    Object.keys(document.paths).find((path) => path === pathname) ?? Object.keys(document.paths).find(fits)
  );
};
