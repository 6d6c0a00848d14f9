import type { Task } from '@tds/contracts';
import { describe, expect, it } from 'vitest';
import { BACKGROUND, INTERACTIVE } from './new-task.ts';
import { noSlots } from './slots.ts';
import { slotsByPriority } from './slots-by-priority.ts';

const taskOf = (concurrency: number, backgroundConcurrency?: number): Task =>
  ({ wireName: 'do-work', concurrency, backgroundConcurrency }) as unknown as Task;

describe('the slots of a worker pool', () => {
  it('are all for what somebody waits for where the contract knows no background work', () => {
    const slots = slotsByPriority(taskOf(3));
    const leave = slots.take(INTERACTIVE);
    expect([slots.free(), slots.free(INTERACTIVE), slots.free(BACKGROUND)]).toEqual([2, 2, 2]);
    leave();
    expect(slots.free()).toBe(3);
  });

  it('are never all taken by background work, however much there is', () => {
    const slots = slotsByPriority(taskOf(4, 2));
    let begun = 0;
    for (; slots.free(BACKGROUND) > 0; begun += 1) slots.take(BACKGROUND);
    expect(begun).toBe(2);
    expect([slots.free(INTERACTIVE), slots.free()]).toEqual([2, 2]);
  });

  it('leave background work one of its own, however much somebody waits for', () => {
    const slots = slotsByPriority(taskOf(4, 2));
    let begun = 0;
    for (; slots.free(INTERACTIVE) > 0; begun += 1) slots.take(INTERACTIVE);
    expect(begun).toBe(3);
    expect(slots.free(BACKGROUND)).toBe(1);
  });

  it('are free for both again when either gives one back', () => {
    const slots = slotsByPriority(taskOf(2, 1));
    const [interactive, background] = [slots.take(INTERACTIVE), slots.take(BACKGROUND)];
    expect([slots.free(INTERACTIVE), slots.free(BACKGROUND)]).toEqual([0, 0]);
    background();
    expect([slots.free(INTERACTIVE), slots.free(BACKGROUND)]).toEqual([0, 1]);
    interactive();
    expect([slots.free(INTERACTIVE), slots.free(BACKGROUND), slots.free()]).toEqual([1, 1, 2]);
  });

  it('wake whoever waits for room, and for the end of all', async () => {
    const slots = slotsByPriority(taskOf(2, 1));
    const leaving = [slots.take(INTERACTIVE), slots.take(BACKGROUND)];
    const order: string[] = [];
    const waiting = [
      slots.whenFree().then(() => order.push('room')),
      slots.whenIdle().then(() => order.push('idle')),
    ];
    leaving[0]?.();
    await waiting[0];
    expect(order).toEqual(['room']);
    leaving[1]?.();
    await Promise.all(waiting);
    expect(order).toEqual(['room', 'idle']);
  });

  it.each([0, 4, 5])('cannot be divided so that background work has %i of four', (backgroundConcurrency) => {
    expect(() => slotsByPriority(taskOf(4, backgroundConcurrency))).toThrow(
      'do-work: backgroundConcurrency must be at least 1 and less than concurrency',
    );
  });

  it('are none where nothing works: what was saved there is left to others', () => {
    noSlots.giveBack();
    expect(noSlots.count).toBe(0);
    expect(() => noSlots.begin({ id: 'a', payload: {}, headers: {} })).toThrow('no slot for task a');
  });
});
