import { roles, type PageDescriptor, type Role, type Route } from '@clinic/contracts';
import type { CallSchemas } from '@clinic/contracts/calls';
import { personalDataPath } from '@clinic/contracts/personal-data-calls';
import { act, cleanup, waitFor } from '@testing-library/react';
import { queryClient, session } from '../host/app.ts';
import { followTranslation } from '../host/follow-translation.ts';
import type { PageModule } from '../host/remote-module.ts';
import { answerOf, callAt } from './newer-answers.ts';
import { prepareEnvironment } from './test-environment.ts';
import { problemResponse, serveAs } from './test-gateway.ts';
import { renderRoutes, routesOfPages, settled, simulatedBrowser } from './test-pages.ts';
import { translate } from './translate.ts';

interface Remote {
  readonly pages: readonly PageDescriptor[];
  readonly screens: Readonly<Record<string, string>>;
}

/** What the router shows in the place of a page that threw. */
const brokenPage = 'Unexpected Application Error!';

function readersOf({ access }: PageDescriptor): readonly (Role | undefined)[] {
  if (access === 'everyone') return [undefined, 'patient'];
  return access === 'signedIn' ? roles : access;
}

/**
 * Tests that readers tolerate: each page of a remote is opened as each role that may, with answers whose statuses, roles, kinds
 * and units this build doesn't know. A page may show such a word as it is; it must not break. Nor must new answers while the browser
 * translates the page, which then shows them.
 *
 * @param load - imports the file of a screen
 * @param calls - all calls that the pages make, with their schemas
 */
export function testNewerAnswers(
  remote: Remote,
  load: (file: string) => Promise<{ readonly default: PageModule }>,
  calls: readonly (Route & CallSchemas)[],
): void {
  beforeAll(() => {
    prepareEnvironment();
    Object.assign(globalThis, simulatedBrowser);
    followTranslation(document.body);
  });
  // Not by jest's own means: in a repository outside the clinic's, modules have no global of that name.
  const { error, warn } = console;
  beforeEach(() => Object.assign(console, { error: () => undefined, warn: () => undefined }));
  afterEach(() => {
    Object.assign(console, { error, warn });
    cleanup();
    queryClient.clear();
  });

  const cases = remote.pages
    .filter(({ path }) => path in remote.screens)
    .flatMap((page) => readersOf(page).map((role) => ({ path: page.path, role: role ?? 'visitor' })));

  /** Opens a page. @returns its text once nothing loads any more, and how to answer from now on with words of a newer release */
  async function open({ path, role }: (typeof cases)[number], newerFromStart = false) {
    const person = { email: 'ann@mail.example', firstName: 'Ann', lastName: 'Lee', emailVerified: true };
    const unknown = new Set<string>();
    let newer = newerFromStart;
    serveAs(role === 'visitor' ? undefined : { ...person, role }, ({ method, path: address }) => {
      // The gateway's own list: no other services keep personal data.
      if (address === personalDataPath) return Response.json({ calls: [], unknown: [] });
      const call = callAt(calls, method, address);
      if (!call) unknown.add(`${method} ${address}`);
      if (!call || call.media !== undefined) return problemResponse('not_found', 404);
      return Response.json(answerOf(call, newer), { headers: { 'X-Total-Count': newer ? '2' : '1' } });
    });
    await session.load();
    await renderRoutes(
      [...routesOfPages(remote.screens, load), { path: '*', element: <p>Another page</p> }],
      path.replaceAll(/:\w+/g, 'a'.repeat(24)),
    );
    await settled();
    return {
      unknown,
      reload: async () => {
        newer = true;
        await act(() => queryClient.invalidateQueries());
        await settled();
      },
    };
  }

  for (const newer of [false, true])
    test.each(cases)(
      `$path as $role reads answers with ${newer ? 'words of a newer release' : 'the words of this release'}`,
      async (page) => {
        const { unknown } = await open(page, newer);
        expect(document.body.textContent).not.toContain(brokenPage);
        expect([...unknown]).toEqual([]);
      },
      60_000,
    );

  test.each(cases)(
    '$path as $role shows new answers on a page that the browser has translated',
    async (page) => {
      const original = await open(page);
      await original.reload();
      const shown = document.body.textContent;
      cleanup();
      queryClient.clear();
      const translated = await open(page);
      translate(document.body);
      await translated.reload();
      await waitFor(() => expect(document.body.textContent).toBe(shown), { timeout: 20_000 });
      expect(shown).not.toContain(brokenPage);
    },
    60_000,
  );
}
