import { createContext, createElement, lazy, Suspense, use, type ComponentType, type ReactNode } from 'react';
import type { PageModule, RemoteContext, SlotName, SlotProps } from './remote-module.ts';

// Not shared by the shell: each remote bundles its own copy, so it also works in a shell that is older than this file.

type SlotsOfPage = <Name extends SlotName>(name: Name) => ComponentType<SlotProps[Name]>;

const Slots = createContext<SlotsOfPage | undefined>(undefined);

/**
 * A page with slots in lists, cards or dialogs, which {@link Slot} marks: `export default definePage(withSlots(StorePage))`.
 * The page doesn't wait for them: a slot opens when it is first shown.
 */
export function withSlots(Page: ComponentType): Pick<PageModule, 'createPage'> {
  return {
    createPage: ({ openSlot }) => {
      const slots = slotsOf(openSlot);
      return () => createElement(Slots, { value: slots }, createElement(Page));
    },
  };
}

interface SlotPlace<Name extends SlotName> {
  readonly name: Name;
  /** What the parts of other remotes get. */
  readonly props: SlotProps[Name];
}

/** A place that other remotes fill; nothing on pages without {@link withSlots}, while it loads, and if it can't be loaded. */
export function Slot<Name extends SlotName>({ name, props }: SlotPlace<Name>): ReactNode {
  const Parts = use(Slots)?.(name);
  return Parts && createElement(Suspense, {}, createElement(Parts, props));
}

function slotsOf(openSlot: RemoteContext['openSlot']): SlotsOfPage {
  const opened: { [Name in SlotName]?: ComponentType<SlotProps[Name]> } = {};
  return <Name extends SlotName>(name: Name) => {
    const known: ComponentType<SlotProps[Name]> | undefined = opened[name];
    if (known) return known;
    const Parts: ComponentType<SlotProps[Name]> = lazy(() =>
      openSlot(name).then(
        (Opened) => ({ default: Opened }),
        (error: unknown) => {
          console.warn(`The slot ${name} could not be opened`, error);
          return { default: () => null };
        },
      ),
    );
    Object.assign(opened, { [name]: Parts });
    return Parts;
  };
}
