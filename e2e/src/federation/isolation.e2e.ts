import type { ServerResponse } from 'node:http';
import { expect, type Page } from '@playwright/test';
import { contractVersion, type RemoteDescriptor } from '@clinic/contracts';
import { expectNoOverflow, setWidth } from '../support/appearance.ts';
import { logInAs } from '../support/log-in.ts';
import { integrityOf } from '../support/deploy.ts';
import { expectInTime, markDocument, panel } from '../support/outages.ts';
import { openTestEnvironment, type Fault, type FrontEnd, type TestEnvironment } from '../support/test-environment.ts';
import { test } from '../support/first-use.ts';

/** One page of each remote, and a page of another remote that an admin reaches from the menu beside it. */
const remotes: readonly {
  readonly name: FrontEnd;
  readonly path: string;
  readonly heading: string | RegExp;
  readonly menu: 'Main' | 'Dashboard';
  readonly other: string;
  readonly otherHeading: string | RegExp;
}[] = [
  { name: 'mf-public', path: '/about', heading: /About/, menu: 'Main', other: 'Pharmacy', otherHeading: 'Pharmacy' },
  {
    name: 'mf-clinic',
    path: '/dash/appoinments',
    heading: /Appointments/,
    menu: 'Dashboard',
    other: 'All Users',
    otherHeading: /Users/,
  },
  {
    name: 'mf-pharmacy',
    path: '/dash/orders',
    heading: /Orders/,
    menu: 'Dashboard',
    other: 'All Users',
    otherHeading: /Users/,
  },
  {
    name: 'mf-admin',
    path: '/dash/pharmacists',
    heading: /Pharmacists/,
    menu: 'Dashboard',
    other: 'Orders',
    otherHeading: /Orders/,
  },
];

/** Replaces the remote's container with one whose module does what the test needs. */
const container = (name: string, module: string): string =>
  `var ${name.replace('-', '_')} = { init() {}, get: async () => () => ({ default: ${module} }) };`;

interface Failure {
  readonly name: string;
  /** What the visitor sees. */
  readonly shows: 'panel' | 'renewed' | 'error';
  readonly kind: string;
  /** Whom to try it with: the shell handles all remotes alike. */
  readonly of: FrontEnd;
  readonly fault?: Fault;
  /** A build whose entry is this text. */
  readonly entry?: (remote: FrontEnd) => string;
}

const onFiles =
  (answer: (res: ServerResponse) => void, hit = /\.(?:js|css)(?:\?|$)/): Fault =>
  (req, res) => {
    if (!hit.test(req.url ?? '')) return false;
    answer(res);
    return true;
  };
const entry = /^\/entry\./;
const ofTheScreen = /^\/(?!entry\.)[^/]+\.js(?:\?|$)/;
/** Responses that wait for ever, or until they are let go. */
const hanging = new Set<ServerResponse>();
const missing = (res: ServerResponse): ServerResponse => res.writeHead(404).end('not found');
const answerWith = (text: string): Fault =>
  onFiles((res) => void res.writeHead(200, { 'Content-Type': 'text/javascript' }).end(text), entry);

/** One for each way a browser meets a fault; what the shell makes of it is in shell/src/federation and routing. */
const failures: readonly Failure[] = [
  {
    name: 'whose files are missing',
    shows: 'panel',
    of: 'mf-public',
    kind: 'away',
    fault: onFiles(missing),
  },
  {
    name: 'that throws while it is loaded',
    shows: 'panel',
    of: 'mf-pharmacy',
    kind: 'away',
    entry: () => 'throw new Error("broken build")',
  },
  {
    name: 'whose container can’t be started',
    shows: 'panel',
    of: 'mf-clinic',
    kind: 'away',
    entry: (remote) => `var ${remote.replace('-', '_')} = { init() { throw new Error("no share scope") }, get() {} }`,
  },
  {
    name: 'whose styles are missing',
    shows: 'panel',
    of: 'mf-admin',
    kind: 'away',
    fault: onFiles(missing, /^\/styles\./),
  },
  {
    name: 'whose page’s own file is missing',
    shows: 'panel',
    of: 'mf-admin',
    kind: 'away',
    fault: onFiles(missing, ofTheScreen),
  },
  {
    name: 'that is of another contract version',
    shows: 'renewed',
    of: 'mf-clinic',
    kind: 'incompatible',
    entry: (remote) => container(remote, `{ contractVersion: ${contractVersion + 1}, createPage: () => () => null }`),
  },
  {
    name: 'that was built for a later shell',
    shows: 'renewed',
    of: 'mf-public',
    kind: 'incompatible',
    entry: (remote) =>
      `var ${remote.replace('-', '_')} = { async init(scope) { this.kit = (await scope['@clinic/app-kit/basics']['1.0.0'].get())(); }, get() { return this.kit.useHolograms(); } };`,
  },
  {
    name: 'that throws while it is shown',
    shows: 'error',
    of: 'mf-public',
    kind: 'broken',
    entry: (remote) =>
      container(
        remote,
        `{ contractVersion: ${contractVersion}, createPage: () => () => { throw new TypeError('broken screen') } }`,
      ),
  },
  {
    name: 'whose screen hangs',
    shows: 'panel',
    of: 'mf-pharmacy',
    kind: 'away',
    fault: onFiles((res) => void hanging.add(res), ofTheScreen),
  },
];

/** Publishes the digest of the changed entry: browsers run nothing else. */
const withEntry = (descriptor: RemoteDescriptor, text: string | undefined): RemoteDescriptor =>
  text === undefined
    ? descriptor
    : {
        ...descriptor,
        hashes: undefined,
        integrity: { ...descriptor.integrity, [descriptor.entry ?? '']: integrityOf(text) },
      };

let testEnv: TestEnvironment;
let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  testEnv = await openTestEnvironment(String(baseURL));
  const context = await browser.newContext({ baseURL: testEnv.url });
  page = await context.newPage();
  // Time passes as ever, and a test can let more of it pass.
  await page.clock.install();
  await logInAs(page, 'admin', '/dash/admin');
});
test.afterEach(async () => {
  const info = test.info();
  if (info.status === info.expectedStatus) return;
  const body = testEnv.log.map((line) => JSON.stringify(line)).join('\n');
  await info.attach('log of the gateway', { body, contentType: 'text/plain' });
});
test.afterAll(async () => {
  await page.context().close();
  await testEnv.close();
});

/** The reference fits a narrow window, too: Firefox breaks it at none of its hyphens before a digit. */
async function expectToFitNarrow(): Promise<void> {
  const reference = page.getByText(/Reference: /);
  await reference.evaluate((shown) => {
    const texts = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      text.textContent = text.textContent?.replaceAll('-', '\u2011') ?? '';
  });
  const { width = 1280 } = page.viewportSize() ?? {};
  await setWidth(page, 320);
  await expectNoOverflow(page);
  await setWidth(page, width);
}

for (const remote of remotes)
  for (const failure of failures.filter(({ of }) => of === remote.name))
    test(`${remote.name} ${failure.name} costs its own page only, says so in the log, and recovers with Retry`, async () => {
      const front = testEnv.frontEnds[remote.name];
      // Otherwise the last page could fetch a file that is to be broken, and the gateway keep it.
      await page.goto('about:blank');
      const version = `1.0.0+${failure.kind}.${failures.indexOf(failure)}`;
      const built = await front.describe();
      const text = failure.entry?.(remote.name);
      // First, so that nobody gets a file of the build before with the digests of this one.
      front.breakBy(text === undefined ? failure.fault : answerWith(text));
      await front.publish((descriptor) => ({ ...withEntry(descriptor, text), version }));
      await testEnv.registered(remote.name, (one) => one.version === version);
      // Files with a digest are cached forever and wouldn't be requested again.
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.clearBrowserCache');
      await devtools.detach();

      await page.goto(remote.path, { waitUntil: 'commit' });
      const message = failure.shows === 'error' ? page.getByRole('heading', { name: 'Oops!' }) : panel(page);
      const hangs = failure.name.includes('hangs');
      if (hangs) await expectInTime(message);
      else await expect(message).toBeVisible();
      if (failure.shows !== 'renewed' && !hangs) await expectToFitNarrow();
      if (failure.shows === 'renewed')
        await expect(message).toContainText('updated this part of the site. Reload the page.');
      await testEnv.logged(
        (line) =>
          line['msg'] === 'page error' &&
          line['remote'] === remote.name &&
          line['version'] === version &&
          line['kind'] === failure.kind,
      );

      const sameDocument = await markDocument(page);
      await expect(page.getByRole('navigation', { name: remote.menu })).toBeVisible();
      // Recovering means waiting once more for the hanging request, which shows nothing new.
      if (!hangs) {
        await page
          .getByRole('navigation', { name: remote.menu })
          .getByRole('link', { name: remote.other, exact: true })
          .click();
        await expect(page.getByRole('heading', { level: 1, name: remote.otherHeading })).toBeVisible();
        await page.goBack();
        await expect(message).toBeVisible();
      }

      front.breakBy();
      // Browsers have few connections to a host: hanging ones delay others until the gateway gives up, by a clock that no test moves.
      for (const res of hanging) res.destroy();
      if (text !== undefined) {
        // The code itself is broken; only a new build fixes it.
        await front.publish(() => ({ ...built, version: `${version}.mended` }));
        await testEnv.registered(remote.name, (one) => one.version !== version);
      }
      await page.getByRole('button', { name: failure.shows === 'error' ? 'Try again' : 'Retry' }).click();
      await expect(page.getByRole('heading', { level: 1, name: remote.heading })).toBeVisible();
      if (failure.shows !== 'renewed') await sameDocument();
    });
