import { randomUUID } from 'node:crypto';
import { billing, type PayloadOf, type RequestOf } from '@tds/contracts';
import { type Caller, type observeService, testContext } from '@tds/kit/testing';
import type { fakeLedger } from '@tds/reservations/testing';
import type { PaymentSimulator, Resource } from '@tds/simulators/payment';
import { eventually } from '@tds/test-kit';
import type { Surface } from '../surface.ts';

const WITHIN = { everyMs: 250 };
const LOOKS = 3;

type Ledger = ReturnType<typeof fakeLedger>;

/** The ledger in memory hears of refills, and answers which accounts are low. */
export const hearRefills = (
  ledger: Ledger,
  heard: readonly PayloadOf<typeof billing.refillChanged>[],
): void => {
  ledger.commands.lookUpRefills = async ({ accountIds }) => ({
    rows: accountIds.flatMap((accountId) => {
      const [newest] = heard
        .filter((refill) => refill.accountId === accountId)
        .toSorted((a, b) => b.version - a.version);
      if (!newest) return [];
      const { free, purchased } = ledger.books().account(accountId);
      const isLow = newest.threshold !== null && free + purchased < newest.threshold;
      return [{ accountId, version: newest.version, isLow }];
    }),
  });
};

type Put = Partial<Omit<RequestOf<typeof billing.putRefill>, 'accountId'>>;
type RefillDeps = {
  readonly caller: Caller<typeof billing>;
  readonly ledger: Ledger;
  readonly simulator: PaymentSimulator;
  readonly own: Pick<ReturnType<typeof observeService<Surface>>, 'handlers' | 'kit'>;
};

/** What people, the ledger and the processor do about refills. */
export const createRefillOperations = ({ caller, ledger, simulator, own }: RefillDeps) => {
  const put = async (accountId: string, chosen: Put = {}) => {
    const request = { personId: accountId, threshold: 10, block: 20, monthlyLimit: 2_000, ...chosen } as const;
    return (await caller.call(billing.putRefill, { accountId, ...request }, testContext())).refill;
  };
  const show = async (accountId: string) =>
    (await caller.call(billing.getRefill, { accountId }, testContext())).refill;
  /** Resolves to the id of the page's session. */
  const openPage = async (accountId: string, personId = accountId): Promise<string> => {
    const { url } = await caller.call(billing.openCardPage, { accountId, personId }, testContext());
    return String(url.split('/').at(-1));
  };
  /** Waits for a state. Its card may be on the way. */
  const becomes = (accountId: string, status: string, reason: string | null = null) =>
    eventually(async () => {
      const refill = await show(accountId);
      if (refill.status !== status || refill.reason !== reason)
        throw new Error(`it is ${refill.status}, ${refill.reason}`);
    });
  /** Above the limit of new accounts, with nothing left. */
  const season = (accountId: string): void => {
    ledger.grant(accountId, 100);
    ledger.spend(accountId, 100);
  };
  /** The periodic look. */
  const look = () => own.handlers().schedules.refillLowAccounts(testContext());
  /** Looks until nothing about refills is to be done, so that what has not happened does not follow. */
  const looks = async () => {
    for (let time = 0; time < LOOKS; time += 1) {
      await look();
      await eventually(async () => {
        const { rows } = await own.kit().db.query(`SELECT name FROM messaging.tasks WHERE state = 'ready'`);
        if (rows.length > 0) throw new Error(`tasks are waiting: ${JSON.stringify(rows)}`);
      }, WITHIN);
    }
  };
  const metadataOf = (resource: Resource) => resource.metadata as Readonly<Record<string, string>>;
  const list = async (accountId: string) =>
    (await caller.call(billing.listPurchases, { accountId, limit: 100, offset: 0 }, testContext())).purchases;
  return {
    ...{ put, show, openPage, becomes, season, look, looks },
    end: async (accountId: string) =>
      (await caller.call(billing.endRefill, { accountId }, testContext())).refill,
    /** Puts a refill with a card. */
    setUp: async (
      accountId: string,
      chosen: Put = {},
      conduct?: Parameters<PaymentSimulator['setUpCard']>[1],
    ) => {
      await put(accountId, chosen);
      simulator.setUpCard(await openPage(accountId, chosen.personId), conduct);
      await becomes(accountId, 'on');
    },
    /** The payments of its refills at the processor. */
    intentsOf: (accountId: string) =>
      simulator.intents().filter((intent) => {
        const { refill, account_id: id } = metadataOf(intent);
        return refill === 'true' && id === accountId;
      }),
    /** An account without credits that is not new. */
    account: (): string => {
      const accountId = randomUUID();
      season(accountId);
      return accountId;
    },
    /** Waits until the account has as many bought credits. */
    bought: (accountId: string, credits: number) =>
      eventually(async () => {
        await look();
        const { purchased } = ledger.books().account(accountId);
        if (purchased !== credits) throw new Error(`it has ${purchased} credits`);
      }, WITHIN),
    purchasesOf: async (accountId: string) =>
      (await list(accountId)).map(({ block, status, automatic }) => ({ block, status, automatic })),
    /** The card that was set up for it last. */
    cardOf: (accountId: string): string => {
      const session = simulator
        .sessions()
        .findLast((one) => one.mode === 'setup' && metadataOf(one).account_id === accountId);
      return String(simulator.cards().findLast(({ customer }) => customer === session?.customer)?.id);
    },
    /** From now on the bank of a card pays. */
    letPay: (cardId: string): void => {
      Object.assign(simulator.cards().find(({ id }) => id === cardId) ?? {}, { conduct: 'pays' });
    },
    /** Null for a card that is removed. */
    customerOf: (cardId: string) => simulator.cards().find(({ id }) => id === cardId)?.customer,
    /** Why refilling of the account has stopped, each time. */
    stopsOf: (accountId: string) =>
      caller
        .received(billing.refillStopped)
        .filter((stop) => stop.accountId === accountId)
        .map(({ reason }) => reason),
  };
};
