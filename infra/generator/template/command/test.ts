import { describe, expect, it } from '@jest/globals';
import { testContext } from '@tds/kit/testing';
import { exampleCommand } from './example-command.ts';

const accountId = '0b0e5f0e-7d0a-4b43-9f5e-0d3f0f0a0001';

describe('example-command', () => {
  it('returns the account that called it', async () => {
    const reply = await exampleCommand.run({}, { accountId }, testContext());
    expect(reply).toEqual({ accountId });
  });
});
