import { followTranslation } from '@clinic/app-kit/follow-translation';
import { offerNewVersions } from './federation/new-version.ts';
import { reportVisits } from './federation/report-visits.ts';
import { prefetchWhenIdle } from './routing/prefetch-idle.ts';

/** Starts what the first page doesn't need. @param page - what React renders into */
export function startLater(
  page: Node,
  [registry, loadRemote]: Parameters<typeof offerNewVersions>,
  [pages, onNavigation]: Parameters<typeof prefetchWhenIdle>,
): void {
  followTranslation(page);
  reportVisits(onNavigation);
  offerNewVersions(registry, loadRemote);
  prefetchWhenIdle(pages, onNavigation);
}
