import { describe, expect, it } from '@jest/globals';
import { nextTokenIn } from './continuation.ts';

const command = (token: unknown) => ({ continuationCommand: { token } });
const renderer = (continuationEndpoint: object) => ({ continuationItemRenderer: { continuationEndpoint } });

describe('the token of the next page', () => {
  it.each([
    ['by itself', renderer(command('next'))],
    ['among commands', renderer({ commandExecutorCommand: { commands: [{}, command('next')] } })],
    [
      'in the newest layout',
      { continuationItemViewModel: { continuationCommand: { innertubeCommand: command('next') } } },
    ],
  ])('is found %s', (_, item) => {
    expect(nextTokenIn([{ videoRenderer: {} }, item])).toBe('next');
  });

  it('of a shelf is not the page’s', () => {
    const shelf = {
      shelfRenderer: { content: { verticalListRenderer: { items: [renderer(command('shelf'))] } } },
    };
    expect(nextTokenIn([shelf])).toBeNull();
  });

  it.each([[''], [7], ['a\u0000b'], ['a b'], ['a'.repeat(5_000)], [null]])(
    'that nobody can keep or send back is none: %j',
    (token) => {
      expect(nextTokenIn([renderer(command(token))])).toBeNull();
    },
  );
});
