import { describe, expect, it } from '@jest/globals';
import { newPrincipal } from '../test-support/builders.ts';
import { createPrincipalMemory } from './principal-memory.ts';

const newMemory = () => {
  const state = { nowMs: 100_000 };
  return { state, memory: createPrincipalMemory(() => state.nowMs) };
};
const principal = newPrincipal();

describe('the memory of principals', () => {
  it('trusts what it has learnt for ten seconds from when its source was asked, however often it is used', () => {
    const { state, memory } = newMemory();
    memory.learn('key', principal, state.nowMs - 4_000);
    for (let ms = 0; ms < 6_000; ms += 500) {
      expect(memory.get('key')).toEqual(principal);
      state.nowMs += 500;
    }
    expect(memory.get('key')).toBeNull();
  });

  it('says after half of that time that an entry is ageing', () => {
    const { state, memory } = newMemory();
    memory.learn('key', principal, state.nowMs);
    state.nowMs += 5_000;
    expect(memory.isAgeing('key')).toBe(false);
    state.nowMs += 1;
    expect(memory.isAgeing('key')).toBe(true);
  });

  it('remembers for five seconds that a key is unknown', () => {
    const { state, memory } = newMemory();
    memory.learnUnknown('key', state.nowMs);
    state.nowMs += 4_999;
    expect(memory.get('key')).toBe('unknown');
    state.nowMs += 1;
    expect(memory.get('key')).toBeNull();
  });

  it('a revocation beats an answer that was under way', () => {
    const { state, memory } = newMemory();
    memory.learn('key', principal, state.nowMs);
    memory.revoke('key');
    memory.learn('key', principal, state.nowMs);
    expect(memory.get('key')).toBe('unknown');
    state.nowMs += 30_000;
    expect(memory.get('key')).toBe('unknown');
  });

  it('a change of a key beats an older answer, also one that was under way, and gives way to a newer one', () => {
    const { state, memory } = newMemory();
    const at = (keyVersion: number, dailyCreditCap: number | null) => ({
      ...principal,
      keyState: 'active' as const,
      keyVersion,
      dailyCreditCap,
    });
    memory.learn('key', at(1, null), state.nowMs);
    memory.changeKey('key', { keyVersion: 3, keyState: 'active', dailyCreditCap: 1 });
    memory.changeKey('key', { keyVersion: 2, keyState: 'active', dailyCreditCap: 9 });
    expect(memory.get('key')).toEqual(at(3, 1));
    expect(memory.learn('key', at(2, 9), state.nowMs)).toEqual(at(3, 1));
    expect(memory.get('key')).toEqual(at(3, 1));
    expect(memory.learn('key', at(4, 5), state.nowMs)).toEqual(at(4, 5));
    expect(memory.get('key')).toEqual(at(4, 5));
  });

  it('a change of status reaches every key of the account and no other', () => {
    const { state, memory } = newMemory();
    const stranger = newPrincipal();
    memory.learn('one', principal, state.nowMs);
    memory.learn('two', principal, state.nowMs);
    memory.learn('three', stranger, state.nowMs);
    memory.changeStatus(principal.accountId, 'closed');
    expect([memory.get('one'), memory.get('two'), memory.get('three')]).toEqual([
      { ...principal, status: 'closed' },
      { ...principal, status: 'closed' },
      stranger,
    ]);
  });
});
