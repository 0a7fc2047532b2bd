// Constant: the pages contain nothing from a request, so a request cannot inject anything.
const page = (title: string, text: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;

export const donePage = page('Back to the terminal', 'The command line has what it needs. You may close this page.');
export const refusedPage = page('Not signed in', 'The command line was notified. You can close this page.');
export const strangePage = page('Unexpected response', 'This response does not belong to the sign-in in progress.');

export const pageHeaders = (text: string) => ({
  'Cache-Control': 'no-store',
  Connection: 'close', // a kept-alive connection would keep the command from ending
  'Content-Length': String(Buffer.byteLength(text)),
  'Content-Security-Policy':
    "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer', // the page's URL contains the code
  'X-Content-Type-Options': 'nosniff',
});
