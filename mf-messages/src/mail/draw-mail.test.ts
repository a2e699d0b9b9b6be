import { drawMail } from './draw-mail.ts';

const frame = (): Document => document.implementation.createHTMLDocument('frame');

test('a mail keeps its inline styles, language and title, and nothing that runs or loads', () => {
  const page = frame();
  drawMail(
    page,
    `<!doctype html><html lang="bn"><head><title>Hello</title><meta http-equiv="refresh" content="0;url=/x">
     <link rel="stylesheet" href="/x.css"><style>p{}</style><script>1</script></head>
     <body style="margin: 0px;"><p style='color: red;'>Hi</p><script>2</script></body></html>`,
  );
  expect(page.body.outerHTML.replaceAll(/\s+</g, '<')).toBe(
    '<body style="margin: 0px;"><p style="color: red;">Hi</p></body>',
  );
  expect([page.documentElement.lang, page.title]).toEqual(['bn', 'Hello']);
  expect(page.querySelectorAll('script, link, meta[http-equiv]')).toHaveLength(0);
});

test('links open in a tab of their own, and those that aren’t addresses lead nowhere', () => {
  const page = frame();
  drawMail(page, '<a href="https://clinic.example/a">a</a><a href="javascript:alert(1)">b</a><a href="data:,c">c</a>');
  expect([...page.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.target, link.rel])).toEqual([
    ['https://clinic.example/a', '_blank', 'noopener noreferrer'],
    [null, '', ''],
    [null, '', ''],
  ]);
});
