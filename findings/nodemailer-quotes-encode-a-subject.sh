#!/bin/sh
# nodemailer 10.6.0: one quotation mark in an ASCII subject makes the whole header an encoded word (RFC 2047), so whoever filters raw header
# lines ("night shift") never finds it; an apostrophe, brackets, a colon and a backslash do not.
# RFC 5322, 3.6.5: a subject is unstructured, where a quotation mark has no meaning.
# Guess before the run: an ASCII subject below 76 characters is sent as it is.
# Needs npm and node. Succeeds while it is so.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --no-audit --no-fund --silent --prefix . nodemailer@10.6.0
cat > send.mjs <<'CODE'
import { createTransport } from 'nodemailer';
const transport = createTransport({ streamTransport: true, buffer: true });
const lineOf = async (subject) => {
  const { message } = await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject, text: 'said' });
  return /^Subject: (.*)\r$/m.exec(message.toString())[1];
};
const plain = "'night shift' <a>, (b): c\\d in Harbour TV";
const marked = '"night shift" in Harbour TV';
const [first, second] = [await lineOf(plain), await lineOf(marked)];
console.log(`${first}\n${second}`);
process.exit(first === plain && second === '=?UTF-8?Q?=22night_shift=22_in_Harbour_TV?=' ? 0 : 1);
CODE
node send.mjs
