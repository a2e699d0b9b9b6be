import { arrive, startTestClinic, type TestClinic } from '@clinic/app-kit/test-clinic';
import { admin } from './open-screen.tsx';
import { renderScreen } from './render-screen.tsx';

/**
 * Opens one of the remote's screens as an admin, against a test server.
 *
 * @param path - address with its query
 * @param answers - by method and path, as in TestClinic
 */
export async function openAsAdmin(path: string, answers: TestClinic['answers']): Promise<TestClinic> {
  const clinic = await startTestClinic({ ...admin, role: 'admin' });
  Object.assign(clinic.answers, answers);
  await arrive(clinic);
  await renderScreen(path, [{ path: '*', element: <p>Elsewhere</p> }]);
  return clinic;
}
