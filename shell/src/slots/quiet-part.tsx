import type { SlotModule, SlotName, SlotProps } from '@clinic/app-kit';
import { exposeOfSlot } from '@clinic/contracts';
import { Suspense, useEffect, useState } from 'react';
import { RemoteError } from '../federation/remote-error.ts';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { reportError } from '../federation/report-error.ts';
import { Boundary } from '../routing/boundary.tsx';

interface QuietPartProps<Slot extends SlotName> {
  /** Name of the remote. */
  readonly name: string;
  readonly slot: Slot;
  readonly props: SlotProps[Slot];
  readonly loadRemote: RemoteLoader;
}

/**
 * One remote's part of a slot on a page that is complete without it: what can't be loaded, hangs or breaks is missing without a
 * word to the visitor. Operators find it in the gateway's log.
 */
export function QuietPart<Slot extends SlotName>({ name, slot, props, loadRemote }: QuietPartProps<Slot>) {
  const [module, setModule] = useState<SlotModule<Slot>>();
  useEffect(() => {
    loadRemote<SlotModule<Slot>>(name, exposeOfSlot(slot)).then(setModule, (error: unknown) => {
      console.warn(`${name} could not load its part of ${slot}`, error);
      if (error instanceof RemoteError)
        reportError(error, { kind: error.trouble, remote: name, version: error.remote.version });
    });
  }, [name, slot, loadRemote]);
  if (!module) return null;
  const { Component } = module;
  return (
    // The remote's stylesheet only applies below this attribute.
    <div data-mf={name} className="contents">
      <Boundary resetOn={module} fallback={(error) => <Reported name={name} error={error} />}>
        <Suspense>
          <Component {...props} />
        </Suspense>
      </Boundary>
    </div>
  );
}

function Reported({ name, error }: { readonly name: string; readonly error: unknown }) {
  useEffect(() => {
    console.warn(`${name} broke`, error);
    reportError(error, { kind: 'broken', remote: name });
  }, [name, error]);
  return null;
}
