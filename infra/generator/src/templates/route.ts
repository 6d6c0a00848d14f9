import { type Name, pluralOf } from '../names.ts';

export type NewRoute = {
  readonly owner: Name;
  readonly command: Name;
  readonly method: string;
  readonly path: string;
  /** Whether the command wants to know the account. */
  readonly isOwned: boolean;
};

const sentence = ({ kebab }: Name): string => {
  const words = kebab.replaceAll('-', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

export const tagOf = (group: Name): string => sentence(pluralOf(group));

export const rows = ({ camel }: Name): string => `\
import { defineRoutes, okBody } from '../define-route.ts';

export const ${camel}Routes = defineRoutes({});
`;

export const row = ({ owner, command, method, path, tag }: NewRoute & { readonly tag: string }): string => `
${command.camel}: {
  method: '${method}',
  path: '${path}',
  calls: [${owner.camel}.${command.camel}],
  access: 'key-or-session',
  tag: '${tag}',
  summary: '${sentence(command)}',
  responses: { 200: { description: 'It is done', schema: okBody({}) } },
}`;

export const handlers = ({ camel }: Name): string => `\
export const ${camel}Routes = {};
`;

const requestOf = (isOwned: boolean): string =>
  isOwned ? '({ principal: { accountId } }) => ({ accountId })' : '() => ({})';

export const handler = ({ command, isOwned }: NewRoute): string => `
${command.camel}: callRoute(routes.${command.camel}, {
  request: ${requestOf(isOwned)},
  body: () => ({}),
})`;

/** @param fake the property of the test gateway that is the owner's */
export const routeTest = ({ command, method, path, isOwned }: NewRoute, fake: string): string => `\
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

let harness: TestGateway;
beforeAll(async () => {
  harness = await startTestGateway();
});
afterAll(() => harness?.stop());

describe('${method} ${path}', () => {
  it('asks for ${isOwned ? 'the account whose key it is' : 'it once'}, and costs nothing', async () => {
    const { bearer${isOwned ? ', principal' : ''} } = await harness.addAccount();
    const { status, body, headers } = await request(harness.url).${method.toLowerCase()}('${path.replaceAll(/\{\w+\}/g, '1')}').set(bearer);
    expect([status, body.ok, headers['x-credits-charged']]).toEqual([200, true, '0']);
    expect(harness.${fake}.asked).toContainEqual({
      name: '${command.camel}',
      request: { ${isOwned ? 'accountId: principal.accountId' : ''} },
    });
  });
});
`;

export const newFake = ({ camel, pascal }: Name): string => `
const start${pascal} = (servers: Harness) => startFake(servers, fakeOf(${camel}, {}));
`;
