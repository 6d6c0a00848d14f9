import openapiTS, { astToString } from 'openapi-typescript';

type Document = { readonly [name: string]: unknown };

const heading = '// Written by `npm run generate` from docs/generated/openapi.json.\n';

/** The types of the TypeScript SDK: `operations` by operationId, `webhooks` by kind, and the schemas of the document. */
export const generateSdkTypes = async (document: Document): Promise<string> =>
  heading + astToString(await openapiTS(JSON.stringify(document), { defaultNonNullable: false }));
