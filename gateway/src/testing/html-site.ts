import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { LaterFiles, RemoteDescriptor } from '@clinic/contracts/remotes';
import { serve } from './servers.ts';
import { publicRemote, shellHtml, startGateway } from './start-gateway.ts';

export const starter =
  '    <link rel="preload" href="/shell/start.js" as="script" integrity="sha384-start" data-for="html">\n';
const frame =
  '<nav id="top-menu"><ul><li><a href="/">Home</a></li><li><a href="/__path__">__label__</a></li></ul></nav><main><div data-mf="__remote__">__page__</div></main><footer>Foot</footer>';
export const shell = shellHtml
  .replace(
    '  </head>\n',
    `    <script defer src="/shell/main.js" integrity="sha384-main"></script>\n${starter}  </head>\n`,
  )
  .replace(
    '<body>',
    `<body>\n    <div id="root"></div>\n    <noscript>needs JavaScript</noscript>\n    <template id="frame">${frame}</template>\n  `,
  );

export const about = '<h1>About Us</h1><p>$& and &lt;b&gt;</p>';
export const hashOf = (text: string): string => `sha384-${createHash('sha384').update(text).digest('base64')}`;
export const withHtml: RemoteDescriptor = {
  ...publicRemote,
  html: { '/about': { file: 'html/page.0123.html', integrity: hashOf(about) }, '/ourDoctors': 'rendered' },
};

export interface Visit {
  readonly page: string;
  readonly url: string;
  readonly version: string;
  readonly config: string;
  readonly answers: Readonly<Record<string, { readonly body: string; readonly headers: Record<string, string> }>>;
}

async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return text;
}

export interface Parts {
  readonly shell?: string;
  readonly published?: RemoteDescriptor;
  readonly file?: string;
  readonly render?: (visit: Visit) => unknown;
  readonly clinic?: RequestListener;
  readonly htmlWithinMs?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** A gateway before a remote that publishes HTML; the remote's answers can be replaced. */
export async function openSite({
  shell: page = shell,
  published = withHtml,
  file = about,
  render = ({ url }) => ({ html: `<h1>${url.replaceAll('&', '&amp;')}</h1>`, facts: [] }),
  clinic,
  // Longer than a busy machine needs.
  htmlWithinMs = 30_000,
  settings = {},
}: Parts = {}) {
  const stack = new AsyncDisposableStack();
  const remote = stack.use(
    await serve((req, res) => {
      if (req.url === '/html')
        return void textOf(req).then((text) => {
          const made = render(JSON.parse(text) as Visit);
          if (made !== undefined) res.end(JSON.stringify(made));
        });
      // Servers take other questions with this header as being about their releases.
      if (req.url === '/html/page.0123.html' && req.headers['clinic-releases'] === undefined) return void res.end(file);
      res.end(JSON.stringify(published));
    }),
  );
  const front = stack.use(await serve((_req, res) => res.end(page)));
  const service = clinic && stack.use(await serve(clinic));
  const gateway = stack.use(
    await startGateway(
      { SHELL_URL: front.url, REMOTES: `mf-public=${remote.url}`, ...settings },
      { htmlWithinMs, ...(service && { services: { clinic: service.url } }) },
    ),
  );
  return {
    open: (path: string, cookie?: string) =>
      gateway.ask(path, { headers: { Accept: 'text/html', ...(cookie !== undefined && { cookie }) } }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export const laterOf = (text: string): LaterFiles =>
  JSON.parse(/id="later-scripts">(.*?)<\/script>/.exec(text)?.[1] ?? '') as LaterFiles;

export const isHtml = (text: string): boolean => text.includes('<div id="page"');
