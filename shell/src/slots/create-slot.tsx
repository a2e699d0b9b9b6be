import type { SlotName, SlotProps } from '@clinic/app-kit';
import { useMemo, useSyncExternalStore, type ComponentType } from 'react';
import type { RegistryStore } from '../federation/registry.ts';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { Contribution } from './contribution.tsx';
import { contributors } from './contributors.ts';
import { QuietPanel } from './quiet-panel.tsx';
import { QuietPart } from './quiet-part.tsx';

interface SlotHost {
  readonly registry: RegistryStore;
  readonly loadRemote: RemoteLoader;
}

/** Slots that a page is made of: a part that is missing there is named. Elsewhere the page is complete without it. */
const essential: ReadonlySet<SlotName> = new Set(['overview', 'search']);

/**
 * Creates the component that shows all parts published for a slot, whichever remotes they come from. It follows the
 * registry: a remote added later appears without a reload.
 */
export function createSlot<Slot extends SlotName>(
  slot: Slot,
  { registry, loadRemote }: SlotHost,
): ComponentType<SlotProps[Slot]> {
  return function SlotOfRemotes(props) {
    const now = useSyncExternalStore(registry.subscribe, registry.get);
    const names = useMemo(() => contributors(now, slot), [now]);
    if (!essential.has(slot))
      return names.map((name) => (
        <QuietPart key={name} name={name} slot={slot} props={props} loadRemote={loadRemote} />
      ));
    return (
      <>
        {names.map((name) => (
          <Contribution
            key={name}
            name={name}
            slot={slot}
            title={registry.find(name)?.title ?? name}
            props={props}
            loadRemote={loadRemote}
          />
        ))}
        {/* Until they have published once, it is unknown whether they have a part in it. */}
        {now.away.length > 0 && (
          <QuietPanel
            title="Something may be missing"
            text="A part of the clinic hasn’t responded yet."
            onRetry={() => registry.refresh()}
          />
        )}
      </>
    );
  };
}
