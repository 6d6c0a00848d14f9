import type { Page } from '@tds/browser';
import type { Guest } from './dashboard.ts';

type Form = {
  /** Its address; `:delivery` stands for the id of a delivery. */
  readonly view: string;
  readonly heading: string;
  /** Opens the form and fills it. */
  readonly fill?: (guest: Guest) => Promise<void>;
  readonly submit: string | RegExp;
  /** What must still be there: by the label of its field. */
  readonly kept?: Readonly<Record<string, string>>;
};
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const pressed =
  (name: string) =>
  ({ visitor }: Guest) =>
    press(visitor.page, name);
const enter =
  (label: string, text: string) =>
  ({ visitor }: Guest) =>
    visitor.page.getByLabel(label).fill(text);

/** Every form and every button that changes something, by what it is about. */
export const forms: Readonly<Record<string, Form>> = {
  'a new key': {
    ...{ view: '/keys', heading: 'Keys', submit: 'Create key' },
    fill: async ({ visitor }) => {
      await press(visitor.page, 'New key');
      await visitor.page.getByLabel('Name').fill('Reports');
      await visitor.page.getByLabel('Daily cap in credits').fill('7');
    },
    kept: { Name: 'Reports', 'Daily cap in credits': '7' },
  },
  'a changed key': {
    ...{ view: '/keys', heading: 'Keys', submit: 'Save' },
    fill: async ({ visitor }) => {
      await press(visitor.page, 'Change default');
      await visitor.page.getByLabel('Name').fill('Renamed');
    },
    kept: { Name: 'Renamed' },
  },
  'a new secret of a key': {
    ...{ view: '/keys', heading: 'Keys', submit: 'Rotate' },
    fill: pressed('Rotate default'),
  },
  'the end of a key': {
    ...{ view: '/keys', heading: 'Keys', submit: 'Now' },
    fill: pressed('Revoke default'),
  },
  'a test event': { view: '/webhooks', heading: 'Webhooks', submit: 'Send a test' },
  'a delivery that is sent again': {
    ...{ view: '/webhooks/:delivery', heading: 'webhook.test', submit: 'Send again' },
  },
  'a new secret of a webhook': {
    ...{ view: '/webhooks', heading: 'Webhooks', submit: 'New secret' },
    fill: pressed('New secret'),
  },
  'the end of a webhook': {
    ...{ view: '/webhooks', heading: 'Webhooks', submit: 'Delete' },
    fill: pressed('Delete'),
  },
  'a purchase': { view: '/billing', heading: 'Billing', submit: /^20 credits/ },
  'a refund': {
    ...{ view: '/billing', heading: 'Billing', submit: 'Refund' },
    fill: async ({ visitor }) => {
      await press(visitor.page, 'Refund');
      await visitor.page.getByLabel('Reason').fill('Bought twice');
    },
    kept: { Reason: 'Bought twice' },
  },
  'a webhook': {
    ...{ view: '/webhooks', heading: 'Webhooks', submit: 'Save' },
    fill: enter('Address of the receiver', 'https://example.com/other'),
    kept: { 'Address of the receiver': 'https://example.com/other' },
  },
  'a new monitor': {
    ...{ view: '/monitors', heading: 'Monitors', submit: 'Watch it' },
    fill: async ({ visitor }) => {
      await press(visitor.page, 'New monitor');
      await visitor.page.getByLabel('Channel or playlist').fill('@simulated-07');
    },
    kept: { 'Channel or playlist': '@simulated-07' },
  },
  'a source of a job': {
    ...{ view: '/jobs/new', heading: 'New job', submit: 'Find the videos' },
    fill: async ({ visitor }) => {
      await visitor.page.getByLabel('Videos').fill('https://youtu.be/manualEn001 and more');
    },
    kept: { Videos: 'https://youtu.be/manualEn001 and more' },
  },
  'a job': {
    ...{ view: '/jobs/new', heading: 'New job', submit: 'Start the job' },
    fill: async ({ visitor }) => {
      await visitor.page.getByLabel('Videos').fill('manualEn001');
      await press(visitor.page, 'Find the videos');
      await visitor.page.getByLabel('Name of the job').fill('Talks');
    },
    kept: { Videos: 'manualEn001', 'Name of the job': 'Talks' },
  },
  'the hour of the daily mail': { view: '/settings', heading: 'Settings', submit: 'Save' },
  'the threshold of a low balance': {
    ...{ view: '/billing', heading: 'Billing', submit: 'Save' },
    fill: enter('Mail below this number of credits', '7'),
    kept: { 'Mail below this number of credits': '7' },
  },
  'the end of the account': {
    ...{ view: '/settings', heading: 'Settings', submit: 'Close the account' },
    fill: async ({ visitor, customer }) => {
      await press(visitor.page, 'Close the account');
      await visitor.page.getByRole('dialog').getByRole('textbox').fill(customer.email);
    },
  },
};
