import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { accountCommands } from './account-commands.ts';
import { keyCommands } from './key-commands.ts';
import { accountStatus, keyState, principal, secretDigest } from './principal.ts';
import { sessionCommands } from './session-commands.ts';
import { signInCommands } from './sign-in-commands.ts';

/** Accounts, sign-in, sessions and API keys. */
export const identity = defineContract('identity', {
  commands: { ...signInCommands, ...sessionCommands, ...keyCommands, ...accountCommands },
  tasks: {
    /** Mails the code of one challenge; the code itself is derived, never stored or sent over the bus. */
    sendCodeMail: {
      payload: z.object({ challengeId: uuid }),
      leaseMs: 30_000,
      backoffMs: [1_000, 5_000, 15_000, 60_000],
      concurrency: 8,
    },
  },
  events: {
    accountCreated: {
      payload: z.object({ accountId: uuid, createdAt: z.iso.datetime() }),
    },

    accountStatusChanged: {
      payload: z.object({ accountId: uuid, status: accountStatus, version: z.number().int() }),
      aggregate: { key: 'accountId', version: 'version' },
    },

    /** Whose a new key is, for good: keys never change hands. */
    keyCreated: { payload: z.object({ accountId: uuid, keyId: uuid }) },

    /** The facts of a key that works, as they are from this version on. */
    keyChanged: {
      payload: z.object({
        accountId: uuid,
        keyId: uuid,
        keyDigest: secretDigest,
        keyVersion: z.number().int(),
        keyState,
        dailyCreditCap: z.number().int().positive().nullable(),
      }),
      aggregate: { key: 'keyId', version: 'keyVersion' },
    },

    keyRevoked: {
      payload: z.object({ accountId: uuid, keyId: uuid, keyDigest: secretDigest }),
    },
  },
  projections: {
    /** Who a key stands for, by the SHA-256 of the key. Valid only while `principalsFresh` lives. */
    principal: { keyParts: ['keyDigest'], value: principal, ttlSeconds: 600 },
    /**
     * The dead man's switch of `principal`: identity renews it after every sweep of revocations. When it has lapsed, no projected
     * principal may be trusted, so revocations are honoured within 30 s whatever is down.
     */
    principalsFresh: { keyParts: [], value: z.literal('1'), ttlSeconds: 15 },
  },
});
