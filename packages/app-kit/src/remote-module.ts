import { contractVersion, type Route } from '@clinic/contracts';
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { addCalls } from './call-table.ts';

/** What the shell tells a remote when it takes it in. */
export interface RemoteContext {
  /** Name of the deployed app, e.g. `mf-clinic`. */
  readonly name: string;
  /** Where the remote's files are, with a slash at the end. */
  readonly baseUrl: string;
  /**
   * Opens a place on a page of this remote that others fill.
   *
   * @returns what shows every registered remote's part of it, in order; one that is away costs its own part only
   */
  readonly openSlot: <Slot extends SlotName>(slot: Slot) => Promise<ComponentType<SlotProps[Slot]>>;
}

/** What the page of a slot tells everybody who fills it, by the slot's name. */
export interface SlotProps {
  /** The clinic's figures (`/dash/overview`) of a span of days. */
  readonly overview: {
    /** First day, 'yyyy-mm-dd' in the clinic's time zone. */
    readonly from: string;
    /** Last day, counted in. */
    readonly to: string;
  };
}

export type SlotName = keyof SlotProps;

/** What every remote exposes as `./module`. */
export interface RemoteModule {
  /** Version of the agreement the remote was built for; the shell refuses others with a panel in the page. */
  readonly contractVersion: number;
  /** The remote's routes, with the absolute paths of its pages. Layout, guard and title are the shell's part. */
  readonly createRoutes: (context: RemoteContext) => RouteObject[];
}

/** What a remote says in its `src/module.tsx`. */
export interface RemoteModuleDefinition extends Omit<RemoteModule, 'contractVersion'> {
  /** Calls of the remote's own service, where the product's contracts don't have them; the client and its hooks know them from then on. */
  readonly calls?: Readonly<Record<string, Route>>;
}

/** What a remote exposes for a slot. */
export interface SlotModule<Slot extends SlotName = SlotName> {
  /** As in {@link RemoteModule}. */
  readonly contractVersion: number;
  readonly Component: ComponentType<SlotProps[Slot]>;
}

/** What a remote says in the file of a slot; `calls` as in {@link RemoteModuleDefinition}, as its own pages may never be opened. */
export interface SlotModuleDefinition<Slot extends SlotName> extends Omit<SlotModule<Slot>, 'contractVersion'>, Pick<RemoteModuleDefinition, 'calls'> {}

/** @returns a remote's part of the named slot, marked with the contract version it is built for: `defineSlotModule<'overview'>({ Component: Figures })` */
export function defineSlotModule<Slot extends SlotName>({ calls, ...module }: SlotModuleDefinition<Slot>): SlotModule<Slot> {
  if (calls) addCalls(calls);
  return { contractVersion, ...module };
}

/** @returns the module, marked with the contract version it is built for */
export function defineRemoteModule({ calls, ...module }: RemoteModuleDefinition): RemoteModule {
  if (calls) addCalls(calls);
  return { contractVersion, ...module };
}

/**
 * A screen that is loaded when it is first opened:
 * `{ path: '/about', ...lazyScreen(async () => (await import('./about/about-page.tsx')).AboutPage) }`.
 * The shell tries a failed load once more, whoever has written it.
 */
export function lazyScreen(load: () => Promise<ComponentType>): Pick<RouteObject, 'lazy'> {
  return { lazy: async () => ({ Component: await load() }) };
}
