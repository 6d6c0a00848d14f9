import { describe, expect, it } from '@jest/globals';
import { newPrincipal } from '../test-support/builders.ts';
import { createPrincipalMemory } from './projected-principals.ts';

const newMemory = () => {
  const state = { nowMs: 100_000 };
  return { state, memory: createPrincipalMemory(() => state.nowMs) };
};
const principal = newPrincipal();

describe('the memory of principals', () => {
  it('is valid for ten seconds from the request to its source, however often it is used', () => {
    const { state, memory } = newMemory();
    memory.keep('key', principal, state.nowMs - 4_000);
    for (let ms = 0; ms < 6_000; ms += 500) {
      expect(memory.get('key')).toEqual(principal);
      state.nowMs += 500;
    }
    expect(memory.get('key')).toBeNull();
  });

  it('reports after half of that time that an entry is ageing', () => {
    const { state, memory } = newMemory();
    memory.keep('key', principal, state.nowMs);
    state.nowMs += 5_000;
    expect(memory.isAgeing('key')).toBe(false);
    state.nowMs += 1;
    expect(memory.isAgeing('key')).toBe(true);
  });

  it('keeps for five seconds that a key is unknown', () => {
    const { state, memory } = newMemory();
    memory.keepUnknown('key', state.nowMs);
    state.nowMs += 4_999;
    expect(memory.get('key')).toBe('unknown');
    state.nowMs += 1;
    expect(memory.get('key')).toBeNull();
  });

  it('prefers a revocation to an answer under way', () => {
    const { state, memory } = newMemory();
    memory.keep('key', principal, state.nowMs);
    memory.revoke('key');
    memory.keep('key', principal, state.nowMs);
    expect(memory.get('key')).toBe('unknown');
    state.nowMs += 30_000;
    expect(memory.get('key')).toBe('unknown');
  });

  it('takes from a token at once what its app may no more, and gives it nothing that it was not given', () => {
    const { state, memory } = newMemory();
    memory.keep('token', { ...principal, scopes: ['read', 'jobs'] }, state.nowMs);
    const facts = { keyVersion: 1, keyState: 'active', dailyCreditCap: 5 } as const;
    memory.changeKey('token', { ...facts, scopes: ['read', 'fetch'] });
    expect(memory.get('token')).toMatchObject({ scopes: ['read'], dailyCreditCap: 5 });
    memory.keep('key', principal, state.nowMs);
    memory.changeKey('key', facts);
    expect(memory.get('key')).not.toHaveProperty('scopes');
  });

  it('prefers a change of a key to older answers, also under way, but not to newer ones', () => {
    const { state, memory } = newMemory();
    const at = (keyVersion: number, dailyCreditCap: number | null) => ({
      ...principal,
      keyState: 'active' as const,
      keyVersion,
      dailyCreditCap,
    });
    memory.keep('key', at(1, null), state.nowMs);
    memory.changeKey('key', { keyVersion: 3, keyState: 'active', dailyCreditCap: 1 });
    memory.changeKey('key', { keyVersion: 2, keyState: 'active', dailyCreditCap: 9 });
    expect(memory.get('key')).toEqual(at(3, 1));
    expect(memory.keep('key', at(2, 9), state.nowMs)).toEqual(at(3, 1));
    expect(memory.get('key')).toEqual(at(3, 1));
    expect(memory.keep('key', at(4, 5), state.nowMs)).toEqual(at(4, 5));
    expect(memory.get('key')).toEqual(at(4, 5));
  });

  it('applies a change of status to every key of the account and no other', () => {
    const { state, memory } = newMemory();
    const other = newPrincipal();
    memory.keep('one', principal, state.nowMs);
    memory.keep('two', principal, state.nowMs);
    memory.keep('three', other, state.nowMs);
    memory.changeAccount(principal.accountId, { status: 'closed' });
    expect([memory.get('one'), memory.get('two'), memory.get('three')]).toEqual([
      { ...principal, status: 'closed' },
      { ...principal, status: 'closed' },
      other,
    ]);
  });
});
