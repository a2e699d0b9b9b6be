import { expect, type Page, type Route } from '@playwright/test';
import { follow } from '../support/clinic.ts';
import { integrityOf } from '../support/deploy.ts';
import {
  breakRequests,
  changeRegistry,
  expectOthersToGoOn,
  markDocument,
  panel,
  pharmacy,
} from '../support/outages.ts';
import { startApp, test } from '../support/first-use.ts';

// A file altered in transit must not run: the remote's build publishes a digest of each file.

const files = '/mf/mf-pharmacy';

/** Passes a file on with a visible addition. */
const tampered = async (route: Route): Promise<void> => {
  const response = await route.fetch();
  const added = route.request().url().endsWith('.css')
    ? '\nbody { --tampered: yes }'
    : '\n;globalThis.tampered = true;';
  await route.fulfill({ response, body: (await response.text()) + added });
};

const hasRun = (page: Page): Promise<boolean> =>
  page.evaluate(
    () => 'tampered' in globalThis || getComputedStyle(document.body).getPropertyValue('--tampered') !== '',
  );

const hashes = new RegExp(`^${files}/hashes\\..*json$`);

const cases: readonly (readonly [string, RegExp])[] = [
  ['entry', new RegExp(`^${files}/entry\\..*js$`)],
  ['styles', new RegExp(`^${files}/styles\\..*css$`)],
  ['page', new RegExp(`^${files}/(?!entry\\.)[^/]+\\.js$`)],
];

/** Opens the altered remote's page from another one: it isn't used. @returns a check that the page was never reloaded */
async function openRefused(page: Page): Promise<() => Promise<void>> {
  await page.goto('/about');
  const sameDocument = await markDocument(page);
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(panel(page)).toBeVisible();
  expect(await hasRun(page)).toBe(false);
  return sameDocument;
}

async function openStore(page: Page): Promise<void> {
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
}

for (const [name, hit] of cases) {
  test(`the altered ${name} of a remote is not used, whichever way its page is reached`, async ({ page }) => {
    const mend = await breakRequests(page, hit, tampered);
    // A page that came as HTML goes on without the application.
    const goesOn = page.waitForEvent('console', (message) => message.text().startsWith('The page could not be made'));
    await page.goto(pharmacy.path);
    await Promise.any([goesOn, panel(page).waitFor()]);
    expect(await hasRun(page)).toBe(false);
    const sameDocument = await openRefused(page);
    mend();
    await openStore(page);
    await sameDocument();
  });
}

test('what an altered file of digests allows is not run', async ({ page }) => {
  const entry = new RegExp(`^${files}/entry\\..*js$`);
  const mendEntry = await breakRequests(page, entry, tampered);
  const mend = await breakRequests(page, hashes, async (route) => {
    const response = await route.fetch();
    const digests = (await response.json()) as Record<string, string>;
    const name = Object.keys(digests).find((file) => entry.test(`${files}/${file}`)) ?? '';
    const altered = `${await (await page.request.get(`${files}/${name}`)).text()}\n;globalThis.tampered = true;`;
    await route.fulfill({ response, body: JSON.stringify({ ...digests, [name]: integrityOf(altered) }) });
  });
  // A page asks for the registry after a failure, which has the digests, too.
  const mendRegistry = await changeRegistry(page, (registry) => ({
    ...registry,
    remotes: registry.remotes.map((remote) => (remote.name === pharmacy.name ? { ...remote, integrity: {} } : remote)),
  }));
  const sameDocument = await openRefused(page);
  mendEntry();
  mend();
  mendRegistry();
  await openStore(page);
  await sameDocument();
});

test('a remote without digests is not run, and says so in its own place', async ({ page }) => {
  const mend = await changeRegistry(page, (registry) => ({
    ...registry,
    remotes: registry.remotes.map((remote) =>
      remote.name === pharmacy.name ? { ...remote, integrity: {}, hashes: undefined } : remote,
    ),
  }));
  await page.goto('/about');
  await startApp(page);
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(panel(page)).toBeVisible();
  expect(
    await page.evaluate(() => 'mf_pharmacy' in globalThis && Reflect.get(globalThis, 'mf_pharmacy') !== undefined),
  ).toBe(false);
  await expectOthersToGoOn(page);
  mend();
  await openStore(page);
});

test('an altered file of the shell is not run', async ({ page }) => {
  await breakRequests(page, /^\/shell\/main\..*js$/, tampered);
  const rejected = page.waitForEvent('console', (message) => /integrity/.test(message.text()));
  await page.goto('/about');
  await rejected;
  expect(await hasRun(page)).toBe(false);
  await expect(page.locator('#root')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

const loadedBeside: readonly (readonly [string, string, RegExp])[] = [
  ['lower sections of the home page', '/', /^\/mf\/mf-public\/home-lower\./],
  ['icons of its HTML', '/', /^\/shell\/later-icons\./],
  ['library of lists', pharmacy.path, /^\/shell\/records\./],
];

for (const [name, path, hit] of loadedBeside) {
  test(`the altered ${name} is not run, though it was preloaded`, async ({ page }) => {
    await breakRequests(page, hit, tampered);
    const rejected = page.waitForEvent('console', (message) => /integrity/.test(message.text()));
    await page.goto(path);
    await rejected;
    expect(await hasRun(page)).toBe(false);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
}

test('a string never becomes code or the address of code', async ({ page }) => {
  await page.goto('/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const letThrough = await page.evaluate(async () => {
    // Code called by the browser driver may bypass the page's policy.
    await new Promise((resolve) => setTimeout(resolve));
    const tries: Record<string, () => void> = {
      markup: () => {
        document.body.innerHTML = '<img src=x onerror="globalThis.tampered = true">';
      },
      'markup beside': () => document.body.insertAdjacentHTML('beforeend', '<b></b>'),
      'address of a script': () => {
        document.createElement('script').src = 'https://evil.example/x.js';
      },
      'text of a script': () => {
        document.createElement('script').textContent = 'globalThis.tampered = true';
      },
      eval: () => {
        (Reflect.get(globalThis, 'eval') as (text: string) => void)('globalThis.tampered = true');
      },
      function: () => {
        Reflect.construct(Function, ['globalThis.tampered = true'])();
      },
      'frame with a document': () => {
        document.createElement('iframe').srcdoc = '<script>1</script>';
      },
      'policy of one’s own': () => {
        (
          globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('evil', {});
      },
    };
    const isRefused = (tried: () => void): boolean => {
      try {
        tried();
        return false;
      } catch {
        return true;
      }
    };
    return Object.entries(tries)
      .filter(([, tried]) => !isRefused(tried))
      .map(([name]) => name);
  });
  expect(letThrough, 'what was let through').toEqual([]);
  expect(await hasRun(page)).toBe(false);
});
