import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditBooks, openEvidence } from '@tds/audit';
import { withClient } from '@tds/servers';
import { eventually } from '@tds/test-kit';
import { type Customer, creditsCharged, signUp, startTestSystem, type TestSystem } from '#support/testing';
import { killProcesses, type OwnProcess, startProcess } from './service-process.ts';

/** Those that are killed; the others live in this process. */
const KILLED = ['credits-ledger', 'search'];
const within = { everyMs: 250 };

let system: TestSystem;
let ledger: OwnProcess;
let search: OwnProcess;
let customer: Customer;
beforeAll(async () => {
  system = await startTestSystem();
  await system.replaceServices(KILLED);
  [ledger, search] = await Promise.all([
    startProcess(system, 'credits-ledger'),
    startProcess(system, 'search'),
  ]);
});
afterAll(async () => {
  killProcesses();
  await system?.stop();
});
beforeEach(async () => {
  customer = await signUp(system);
});

const databaseOf = (service: string) => String(system.databases[service]?.adminUrl);
const ask = (words: string) => customer.get(`/v1/search?q=${encodeURIComponent(words)}`);

/** What the ledger did about searches of this customer, oldest first. */
const booked = (): Promise<string[]> =>
  withClient(databaseOf('credits-ledger'), async (admin) => {
    const { rows } = await admin.query(
      `SELECT kind FROM entries WHERE account_id = $1 AND ref IN (SELECT ref FROM entries WHERE reason = 'search')
       ORDER BY version`,
      [customer.accountId],
    );
    return rows.map(({ kind }) => kind);
  });
const untilBooked = (...kinds: string[]) =>
  eventually(async () => expect(await booked()).toEqual(kinds), within);
const evidence = openEvidence((service) => databaseOf(service), { atRest: true });
const booksAreRight = () => eventually(async () => expect(await auditBooks(evidence)).toEqual([]), within);
/** The same question is answered again, by a new page for a credit. */
const costsACreditNow = (words: string) =>
  eventually(async () => {
    const answer = await ask(words);
    expect([answer.status, creditsCharged(answer)]).toEqual([200, 1]);
  }, within);

describe('a search whose ledger is killed between page and settlement', () => {
  it('ends without its page and without a charge, if the ledger stays away', async () => {
    const release = system.simulator.hold();
    const asking = ask('killed before it is settled');
    await untilBooked('reserve');
    await ledger.kill();
    release();
    const answer = await asking;
    expect([answer.status, answer.json().code, creditsCharged(answer)]).toEqual([
      ...[503, 'search_settlement_failed', 0],
    ]);
    ledger = await startProcess(system, 'credits-ledger');
    await untilBooked('reserve', 'release');
    await costsACreditNow('killed before it is settled');
    await booksAreRight();
  });

  it('is charged once and delivered, if the ledger dies after the charge and is back soon', async () => {
    // It is back in this process, where it starts soonest. A busy machine may still take longer than one search waits: then another one is
    // tried.
    const answer = await eventually(async () => {
      customer = await signUp(system);
      await ledger.kill();
      await system.replaceServices(['credits-ledger']);
      const dying = await startProcess(system, 'credits-ledger', 'settle-committed');
      const asking = ask('killed after it was settled');
      await dying.dead;
      await system.restartServices(['credits-ledger'], {});
      const answered = await asking;
      expect([answered.status, creditsCharged(answered)]).toEqual([200, 1]);
      return answered;
    }, within);
    await untilBooked('reserve', 'settle');
    const again = await ask('killed after it was settled');
    expect([again.text, creditsCharged(again)]).toEqual([answer.text, 0]);
    await booksAreRight();
    await system.replaceServices(['credits-ledger']);
    ledger = await startProcess(system, 'credits-ledger');
  });

  it('is released, if the ledger dies after the charge and stays away', async () => {
    await ledger.kill();
    const dying = await startProcess(system, 'credits-ledger', 'settle-committed');
    const asking = ask('charged and never delivered');
    await dying.dead;
    const answer = await asking;
    expect([answer.status, answer.json().code, creditsCharged(answer)]).toEqual([
      ...[503, 'search_settlement_failed', 0],
    ]);
    ledger = await startProcess(system, 'credits-ledger');
    await untilBooked('reserve', 'settle', 'refund');
    await costsACreditNow('charged and never delivered');
    await booksAreRight();
  });
});

describe('a search that is killed itself', () => {
  it('after it was charged is released: its caller got no page', async () => {
    await search.kill();
    const dying = await startProcess(system, 'search', 'search-settled');
    const asking = ask('it is never delivered');
    await dying.dead;
    search = await startProcess(system, 'search');
    const answer = await asking;
    expect([answer.status, answer.json().code, creditsCharged(answer)]).toEqual([
      ...[503, 'service_unavailable', 0],
    ]);
    await untilBooked('reserve', 'settle', 'refund');
    await costsACreditNow('it is never delivered');
    await booksAreRight();
  });
});
