import { useSyncExternalStore } from 'react';
import type { RegistryStore } from '../federation/registry.ts';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { contributors } from './contributors.ts';
import { QuietPart } from './quiet-part.tsx';

interface EveryPageProps {
  readonly registry: RegistryStore;
  readonly loadRemote: RemoteLoader;
}

/** What remotes show on every page of signed-in people, e.g. a time that is held for them. */
export function EveryPage({ registry, loadRemote }: EveryPageProps) {
  return contributors(useSyncExternalStore(registry.subscribe, registry.get), 'every-page').map((name) => (
    <QuietPart key={name} name={name} slot="every-page" props={{}} loadRemote={loadRemote} />
  ));
}
