import { pages as pagesOf } from '@clinic/contracts/pages';
import { mayOpen } from '@clinic/contracts';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { openPage, themes } from '../support/appearance.ts';
import { expect, isPhone, test } from '../support/clinic.ts';
import { fillLists } from '../support/full-lists.ts';
import { layoutFaultsOf } from '../support/layout-faults.ts';
import { signIn, type Patient } from '../support/people.ts';

const widths = [1280, 1024, 900, 768, 600, 390, 320] as const;

// Seven widths in two themes take longer than usual on a busy machine.
test.describe.configure({ mode: 'parallel', timeout: 300_000 });

let person: Patient;
test.beforeAll(async ({ baseURL }) => {
  person = await fillLists(baseURL);
});

test.beforeEach(({ page }) => {
  test.skip(isPhone(page), 'It sets the widths itself.');
});

const visitors = [undefined, 'patient', 'doctor', 'pharmacist', 'admin'] as const;

/** Each page is opened once, by the first of the visitors who may. */
function pathsFor(role: (typeof visitors)[number]): string[] {
  const paths = Object.values(pagesOf)
    .flatMap((pages) => [...pages])
    .filter(({ access }) => visitors.find((one) => mayOpen(access, one)) === role)
    .filter(({ access }) => access === 'everyone' || mayOpen(access, role))
    .map(({ path }) => path)
    .filter((path) => !path.includes(':'));
  return role === undefined ? [...paths, '/login', '/register', '/no/such/page'] : paths;
}

for (const role of visitors)
  test(`nothing is cut off, broken or covered on any page of ${role ?? 'a visitor'}, at any width`, async ({
    page,
  }) => {
    if (role === 'patient') await signIn(page.request, person);
    else if (role) await signIn(page.request, { email: demoAccounts[role], password: demoPassword });
    const faults: string[] = [];
    for (const path of pathsFor(role)) {
      await page.setViewportSize({ width: widths[0], height: 900 });
      await openPage(page, path);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        for (const theme of themes) {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
          // Tables choose their layout after the resize.
          if (theme === themes[0])
            await page.evaluate(
              () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
            );
          faults.push(...(await layoutFaultsOf(page)).map((fault) => `${path} at ${width} px, ${theme}: ${fault}`));
        }
      }
    }
    expect(faults).toEqual([]);
  });
