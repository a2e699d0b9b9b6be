import { arrive, startTestClinic, type TestClinic } from '@clinic/app-kit/test-clinic';
import type { SessionUser } from '@clinic/contracts';
import { renderScreen } from './render-screen.tsx';

/** The admin of the screens under test. */
export const admin: SessionUser = {
  email: 'admin@clinic.example',
  firstName: 'Nadia',
  lastName: 'Rahman',
  role: 'admin',
  emailVerified: true,
};

/**
 * Opens one of the remote's screens against a test server.
 *
 * @param user - who is signed in
 * @param path - address with its query
 * @param answersOf - the services' responses by method and path, as in TestClinic
 */
export async function openAs(
  user: SessionUser,
  path: string,
  answersOf: (clinic: TestClinic) => TestClinic['answers'],
): Promise<TestClinic> {
  const clinic = await startTestClinic(user);
  Object.assign(clinic.answers, answersOf(clinic));
  await arrive(clinic);
  await renderScreen(path);
  return clinic;
}

/** {@link openAs} the admin. */
export const openAsAdmin = (path: string, answers: TestClinic['answers']): Promise<TestClinic> =>
  openAs(admin, path, () => answers);
