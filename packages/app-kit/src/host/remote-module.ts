import { contractVersion, type Route } from '@clinic/contracts';
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { addCalls } from '../api/call-table.ts';

/** What the shell passes to a remote when it loads it. */
export interface RemoteContext {
  /** Name of the deployed app, e.g. `mf-clinic`. */
  readonly name: string;
  /** Where the remote's files are, with a trailing slash. */
  readonly baseUrl: string;
  /**
   * Opens a slot on a page of this remote that other remotes fill.
   *
   * @returns a component that shows every registered remote's part, in order; if a remote is unavailable only its part is missing
   */
  readonly openSlot: <Slot extends SlotName>(slot: Slot) => Promise<ComponentType<SlotProps[Slot]>>;
}

/** What a slot's page passes to every remote that fills it, by the slot's name. */
export interface SlotProps {
  /** The clinic's figures (`/dash/overview`) for a period. */
  readonly overview: {
    /** First day, 'yyyy-mm-dd' in the clinic's time zone. */
    readonly from: string;
    /** Last day, inclusive. */
    readonly to: string;
  };
  /** On every page of signed-in people, above its foot. */
  readonly 'every-page': object;
  /** With the actions of an appointment in a list, and where one has just been booked. */
  readonly appointment: {
    readonly id: string;
    readonly status: string;
    /** The person who reads it, or somebody who works here. */
    readonly own: boolean;
    /** The record's name, for screen readers. */
    readonly name: string;
  };
  /** With the actions of an order in a list; as of an appointment. */
  readonly order: {
    readonly id: string;
    readonly status: string;
    readonly own: boolean;
    readonly name: string;
  };
  /** On a medicine's card for signed-in people, and in its details for everybody. */
  readonly medicine: {
    /** The record's id, by which calls name it. */
    readonly id: string;
    readonly name: string;
    /** It can be ordered now. */
    readonly available: boolean;
  };
  /** What the search of staff finds, by what they may see. */
  readonly search: {
    /** Two letters at least. */
    readonly q: string;
  };
  /** Among the sections of My Account. */
  readonly account: {
    readonly email: string;
  };
}

export type SlotName = keyof SlotProps;

/** What remotes expose as `./module` that expose no single pages. */
export interface RemoteModule {
  /** Contract version the remote was built for; for others the shell shows a panel instead. */
  readonly contractVersion: number;
  /** The remote's routes, with the absolute paths of its pages. The shell adds layout, guard and title. */
  readonly createRoutes: (context: RemoteContext) => RouteObject[];
}

/** What a remote defines as its `./module`. */
interface RemoteModuleDefinition extends Omit<RemoteModule, 'contractVersion'> {
  /**
   * Calls that the remote makes; client and hooks know them once the remote is loaded.
   */
  readonly calls?: Readonly<Record<string, Route>>;
}

/** What a remote exposes for a page. */
export interface PageModule {
  /** As in {@link RemoteModule}. */
  readonly contractVersion: number;
  /** Called once, before the page is shown. The shell adds layout, guard and title. */
  readonly createPage: (context: RemoteContext) => ComponentType | Promise<ComponentType>;
}

/** A page: its component, or a function that makes it from what the shell passes. */
export type PageDefinition = { readonly Component: ComponentType } | Pick<PageModule, 'createPage'>;

/** What a remote exposes for a slot. */
export interface SlotModule<Slot extends SlotName = SlotName> {
  /** As in {@link RemoteModule}. */
  readonly contractVersion: number;
  readonly Component: ComponentType<SlotProps[Slot]>;
}

/**
 * What a remote defines in the file of a slot; `calls` as in {@link RemoteModuleDefinition}, because its own pages may never
 * be opened.
 */
export interface SlotModuleDefinition<Slot extends SlotName>
  extends Omit<SlotModule<Slot>, 'contractVersion'>, Pick<RemoteModuleDefinition, 'calls'> {}

/** @returns a remote's part of the named slot, marked with its contract version: `defineSlotModule<'overview'>({ Component: Figures })` */
export function defineSlotModule<Slot extends SlotName>({
  calls,
  ...module
}: SlotModuleDefinition<Slot>): SlotModule<Slot> {
  if (calls) addCalls(calls);
  return { contractVersion, ...module };
}

/** @returns a page, marked with its contract version: `export default definePage({ Component: AboutPage })` */
export function definePage(page: PageDefinition): PageModule {
  return { contractVersion, createPage: 'createPage' in page ? page.createPage : () => page.Component };
}

/** @returns the module, marked with its contract version */
export function defineRemoteModule({ calls, ...module }: RemoteModuleDefinition): RemoteModule {
  if (calls) addCalls(calls);
  return { contractVersion, ...module };
}

/**
 * A screen that is loaded when it is first opened:
 * `{ path: '/about', ...lazyScreen(async () => (await import('./about/about-page.tsx')).AboutPage) }`.
 * The shell retries a failed load once.
 */
export function lazyScreen(load: () => Promise<ComponentType>): Pick<RouteObject, 'lazy'> {
  return { lazy: async () => ({ Component: await load() }) };
}
