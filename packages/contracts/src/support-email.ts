import { z } from 'zod';

const MAX_EMAIL_LENGTH = 254;

/** The setting SUPPORT_EMAIL: the contact of customers. */
export const supportEmail = z.string().includes('@').max(MAX_EMAIL_LENGTH).default('support@service.localhost');
