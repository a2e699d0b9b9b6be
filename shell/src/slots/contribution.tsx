import type { SlotModule, SlotName, SlotProps } from '@clinic/app-kit';
import { queryClient } from '@clinic/app-kit/host';
import { exposeOfSlot } from '@clinic/contracts';
import { CardSkeleton } from '@clinic/ui';
import { useCallback, useEffect, useRef, useState } from 'react';
import { RemoteError } from '../federation/remote-error.ts';
import { reloadKeepingDrafts } from '../federation/renew.ts';
import { referenceOf, reportError } from '../federation/report-error.ts';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { Boundary } from '../routing/boundary.tsx';
import { QuietPanel } from './quiet-panel.tsx';

interface ContributionProps<Slot extends SlotName> {
  /** Name of the remote. */
  readonly name: string;
  /** The remote's name for people. */
  readonly title: string;
  readonly slot: Slot;
  readonly props: SlotProps[Slot];
  readonly loadRemote: RemoteLoader;
}

type Loaded<Slot extends SlotName> = { readonly module: SlotModule<Slot> } | { readonly error: unknown };

/** One remote's part of a slot: loaded when first shown, with a quiet panel if it is unavailable or breaks. */
export function Contribution<Slot extends SlotName>({ name, title, slot, props, loadRemote }: ContributionProps<Slot>) {
  const [loaded, setLoaded] = useState<Loaded<Slot>>();
  const load = useCallback(
    () =>
      loadRemote<SlotModule<Slot>>(name, exposeOfSlot(slot)).then(
        (module) => {
          setLoaded({ module });
          return true;
        },
        (error: unknown) => {
          console.error(`${name} could not load its part of ${slot}`, error);
          if (error instanceof RemoteError)
            reportError(error, { kind: error.trouble, remote: name, version: error.remote.version });
          setLoaded({ error });
          return false;
        },
      ),
    [loadRemote, name, slot],
  );
  useEffect(() => void load(), [load]);
  const place = useRef<HTMLDivElement>(null);
  const retry = async (): Promise<void> => {
    // The pressed button has been removed by then.
    if (await load()) place.current?.focus({ preventScroll: true });
  };
  return (
    // The remote's stylesheet only applies below this attribute.
    <div ref={place} tabIndex={-1} data-mf={name} aria-busy={!loaded} className="grid min-w-0 gap-12 outline-none">
      <State name={name} title={title} loaded={loaded} props={props} onRetry={retry} />
    </div>
  );
}

interface StateProps<Slot extends SlotName> extends Pick<ContributionProps<Slot>, 'name' | 'title' | 'props'> {
  readonly loaded: Loaded<Slot> | undefined;
  readonly onRetry: () => Promise<void>;
}

function State<Slot extends SlotName>({ name, title, loaded, props, onRetry }: StateProps<Slot>) {
  if (!loaded)
    return (
      <>
        <output className="sr-only">Loading...</output>
        <CardSkeleton />
      </>
    );
  const failedTitle = `${title} can’t be loaded right now`;
  if ('error' in loaded) {
    // The part is newer than this shell, and only a reload loads the new shell.
    const renewed = loaded.error instanceof RemoteError && loaded.error.trouble !== 'away';
    return renewed ? (
      <QuietPanel
        title={failedTitle}
        text="We’ve just updated this part. Reload the page."
        onRetry={reloadKeepingDrafts}
      />
    ) : (
      <QuietPanel
        title={failedTitle}
        text={`This part didn’t load. Everything else still works. Reference: ${referenceOf(loaded.error)}`}
        onRetry={onRetry}
      />
    );
  }
  const { Component } = loaded.module;
  return (
    <Boundary
      resetOn={loaded.module}
      fallback={(error, again) => <Broken name={name} title={failedTitle} error={error} onRetry={again} />}
    >
      <Component {...props} />
    </Boundary>
  );
}

interface BrokenProps extends Pick<ContributionProps<SlotName>, 'name' | 'title'> {
  readonly error: unknown;
  readonly onRetry: () => void;
}

function Broken({ name, title, error, onRetry }: BrokenProps) {
  useEffect(() => {
    console.error(`${name} broke`, error);
    reportError(error, { kind: 'broken', remote: name });
  }, [name, error]);
  const startAfresh = (): void => {
    // The data it had loaded may be what broke it.
    queryClient.removeQueries({ type: 'inactive' });
    onRetry();
  };
  return (
    <QuietPanel
      title={title}
      text={`Something went wrong in this part. Everything else still works. Reference: ${referenceOf(error)}`}
      onRetry={startAfresh}
    />
  );
}
