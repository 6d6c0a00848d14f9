import { describe, expect, it } from '@jest/globals';
import type { Task } from '@tds/contracts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { sendHints } from './hints.ts';

const task = { subject: 'task.status.do-work' } as unknown as Task;

const sentFor = (count: number, isConnected = true): string[] => {
  const sent: string[] = [];
  const bus = { isConnected: () => isConnected, connection: { publish: (to: string) => void sent.push(to) } };
  sendHints({ bus } as unknown as StoreRuntime, task, count);
  return sent;
};

describe('hints for other instances', () => {
  it('are one for each task that this one has no room for', () => {
    expect(sentFor(3)).toEqual([task.subject, task.subject, task.subject]);
    expect(sentFor(0)).toEqual([]);
  });

  it('are never a flood: each of them makes one more instance look for as much as it can do', () => {
    expect(sentFor(100_000)).toHaveLength(16);
  });

  it('are not sent while the broker is away: they would come too late', () => {
    expect(sentFor(3, false)).toEqual([]);
  });
});
