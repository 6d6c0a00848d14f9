/** A page: plain HTML, without scripts. `head` is what it needs besides. */
export const htmlPage = (title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} - Transcript Delivery Service</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ddd;padding:.3rem .6rem;text-align:left;vertical-align:top}
section:target h2{background:#ffef9e}</style>${head}</head>
<body><h1>${title}</h1>
${body}
</body></html>
`;
