import { z } from 'zod';

const LONGEST_EMAIL = 254;

/** The setting SUPPORT_EMAIL: where customers write to. */
export const supportEmail = z.string().includes('@').max(LONGEST_EMAIL).default('support@localhost');
