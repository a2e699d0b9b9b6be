import { renderRoutes, routesOfPages } from '@clinic/app-kit/test-pages';
import remote from '../../remote.config.ts';

/** Renders one of the remote's screens; other addresses say 'Elsewhere'. @param path - address with its query */
export async function renderScreen(path: string): Promise<void> {
  const screens = routesOfPages(remote.screens, (file) => import(`../../${file}`));
  await renderRoutes([...screens, { path: '*', element: <p>Elsewhere</p> }], path);
}
