import type { SlotName } from '@clinic/app-kit';
import type { Registry } from '@clinic/contracts';

/** Names of the remotes with a part in a slot, in order. */
export function contributors({ remotes }: Registry, slot: SlotName): string[] {
  return remotes
    .flatMap(({ name, slots = [] }) => slots.filter((one) => one.slot === slot).map(({ order }) => ({ name, order })))
    .toSorted((a, b) => a.order - b.order || a.name.localeCompare(b.name))
    .map(({ name }) => name);
}
