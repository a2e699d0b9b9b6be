import type { SlotModule } from '@clinic/app-kit';
import { exposeOfSlot } from '@clinic/contracts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { RegistryStore } from '../federation/registry.ts';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { Boundary } from '../routing/boundary.tsx';

interface EveryPageProps {
  readonly registry: RegistryStore;
  readonly loadRemote: RemoteLoader;
}

/**
 * What remotes show on every page of signed-in people, e.g. a time that is held for them. No page depends on it: what can't be
 * loaded or breaks is missing without a word.
 */
export function EveryPage({ registry, loadRemote }: EveryPageProps) {
  const { remotes } = useSyncExternalStore(registry.subscribe, registry.get);
  return remotes
    .filter(({ slots = [] }) => slots.some(({ slot }) => slot === 'every-page'))
    .map(({ name }) => <Part key={name} name={name} loadRemote={loadRemote} />);
}

function Part({ name, loadRemote }: { readonly name: string; readonly loadRemote: RemoteLoader }) {
  const [module, setModule] = useState<SlotModule<'every-page'>>();
  useEffect(() => {
    loadRemote<SlotModule<'every-page'>>(name, exposeOfSlot('every-page')).then(setModule, (error: unknown) =>
      console.warn(`${name} could not load its part of every page`, error),
    );
  }, [name, loadRemote]);
  if (!module) return null;
  const { Component } = module;
  return (
    // The remote's stylesheet only applies below this attribute.
    <div data-mf={name}>
      <Boundary resetOn={module} fallback={() => null}>
        <Component />
      </Boundary>
    </div>
  );
}
