const paragraphs = (host: string): readonly string[] => [
  `Your webhook at ${host} has answered none of our requests for five days. We have stopped sending to it.`,
  'When it works again, configure it anew with PUT /v1/webhooks. GET /v1/webhooks/deliveries shows what it was sent, and what it answered.',
];

/** The host alone: the rest of an address may be a secret. A host has no character that HTML would take for its own. */
export const webhookMail = (host: string): { subject: string; text: string; html: string } => ({
  subject: 'Your webhook was disabled',
  text: paragraphs(host).join('\n\n'),
  html: [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif">',
    ...paragraphs(host).map((text) => `<p>${text}</p>`),
    '</body></html>',
  ].join('\n'),
});
