import { describe, expect, it } from '@jest/globals';
import { headers } from '@nats-io/nats-core';
import { runInContext } from '@tds/base/internals';
import {
  commandHeaders,
  currentMessageContext,
  eventHeaders,
  hintHeaders,
  messageContextOf,
  messageIdOf,
  readDeadline,
  readMessageContext,
} from './message-headers.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const context = { requestId: 'r1', accountId: 'a1', traceparent };

describe('the context of a message', () => {
  it('is that of the message in hand', () => {
    expect(runInContext(context, currentMessageContext)).toEqual(context);
  });

  it('begins with a request id of its own without a message in hand', () => {
    const begun = currentMessageContext();
    expect(begun).toMatchObject({ accountId: null, traceparent: undefined });
    expect(begun.requestId).toMatch(UUID);
  });

  it('survives being saved with a row', () => {
    expect(readMessageContext(JSON.parse(JSON.stringify(context)))).toEqual(context);
  });

  it.each([null, undefined, 'text', {}, { requestId: '', accountId: 7, traceparent: [] }])(
    'is a new one for headers that a SQL function left as %j',
    (saved) => {
      const read = readMessageContext(saved);
      expect(read).toMatchObject({ accountId: null, traceparent: undefined });
      expect(read.requestId).toMatch(UUID);
    },
  );

  it.each([
    ['a command', commandHeaders(context, 1_000)],
    ['a hint', hintHeaders(context)],
    ['an event', eventHeaders('0198f7a0-0000-7000-8000-000000000000', context)],
  ])('comes through the headers of %s', (_kind, sent) => {
    expect(messageContextOf(sent)).toEqual(context);
  });
});

describe('the deadline in the headers', () => {
  it('is what is left, rounded up, so that a last millisecond is not none', () => {
    expect(readDeadline(commandHeaders(context, 0.2), 5_000)).toBe(1);
  });

  it('never exceeds what the command allows', () => {
    expect(readDeadline(commandHeaders(context, 60_000), 5_000)).toBe(5_000);
  });

  it.each(['', 'soon', '-5', '0'])('falls back to the limit of the command if the header says %j', (said) => {
    const sent = headers();
    sent.set('X-Deadline-Ms', said);
    expect(readDeadline(sent, 5_000)).toBe(5_000);
    expect(readDeadline(undefined, 5_000)).toBe(5_000);
  });
});

describe('the id of a message', () => {
  const id = '0198f7a0-0000-7000-8000-000000000000';

  it('stays the same when it is published again under another id of the stream', () => {
    const sent = eventHeaders(id, context);
    sent.set('Nats-Msg-Id', '0198f7a0-0000-7000-8000-000000000001');
    expect(messageIdOf(sent)).toBe(id);
  });

  it('is that of the stream if the publisher gave no other', () => {
    const sent = headers();
    sent.set('Nats-Msg-Id', id);
    expect(messageIdOf(sent)).toBe(id);
  });

  it('is none if no outbox has sent the message', () => {
    const sent = headers();
    sent.set('X-Message-Id', 'not-a-uuid');
    expect(messageIdOf(sent)).toBeUndefined();
    expect(messageIdOf(hintHeaders(context))).toBeUndefined();
    expect(messageIdOf(undefined)).toBeUndefined();
  });
});
