import { z } from 'zod';

const LONGEST_EMAIL = 254;

/** The setting SUPPORT_EMAIL: the contact of customers. */
export const supportEmail = z.string().includes('@').max(LONGEST_EMAIL).default('support@service.localhost');
