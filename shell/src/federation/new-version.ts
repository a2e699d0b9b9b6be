import { offer } from '@clinic/app-kit/host';
import type { RegistryStore } from './registry.ts';
import type { RemoteLoader } from './remote-loader.ts';
import { reloadKeepingDrafts } from './renew.ts';
import { ownShell } from './shell-version.ts';

/**
 * The loaded parts of which another version is deployed: the shell, and loaded remotes. A remote that hasn't been loaded yet
 * will load in its newest version anyway.
 *
 * @returns names and versions in one text; empty if nothing is newer
 */
export function whatIsNewer(registry: RegistryStore, loadRemote: Pick<RemoteLoader, 'versionOf'>): string {
  const { remotes, shell } = registry.get();
  const own = ownShell().version;
  const newer = remotes.filter(
    ({ name, version }) => loadRemote.versionOf(name) !== undefined && loadRemote.versionOf(name) !== version,
  );
  const renewed = own !== undefined && shell !== undefined && shell !== own;
  return [...(renewed ? [`shell ${shell}`] : []), ...newer.map(({ name, version }) => `${name} ${version}`)].join(', ');
}

/**
 * Offers to reload when a new version is deployed; nothing reloads without a press. Once dismissed, the offer doesn't return
 * for the same version.
 */
export function offerNewVersions(registry: RegistryStore, loadRemote: Pick<RemoteLoader, 'versionOf'>): void {
  let offered = '';
  let takeBack: (() => void) | undefined;
  const check = (): void => {
    const newer = whatIsNewer(registry, loadRemote);
    if (newer === offered) return;
    takeBack?.();
    takeBack = undefined;
    offered = newer;
    if (newer === '') return;
    takeBack = offer(
      'A new version is ready',
      'You can reload when you’re ready. We’ll keep what you’ve typed, except passwords.',
      {
        label: 'Reload',
        run: reloadKeepingDrafts,
        dismissed: () => {
          takeBack = undefined;
        },
      },
    );
  };
  registry.subscribe(check);
  // The registry may have been requested since the page was loaded.
  check();
}
