import type { PageDescriptor, Role } from '@clinic/contracts';

/** One entry of the dashboard's menu. */
export interface MenuLine {
  readonly to: string;
  readonly label: string;
  readonly icon: string;
}

/**
 * The dashboard menu of a role, from the registered remotes' pages.
 *
 * @param pages - the pages of all registered remotes
 */
export function menuEntries(pages: readonly PageDescriptor[], role: Role): readonly MenuLine[] {
  return pages
    .flatMap(({ path, menu = [] }) =>
      menu.filter(({ roles }) => roles.includes(role)).map((entry) => ({ ...entry, to: path })),
    )
    .toSorted((a, b) => a.order - b.order)
    .map(({ to, label, icon }) => ({ to, label, icon }));
}
