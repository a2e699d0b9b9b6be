import { matchRoutes } from '@clinic/app-kit/host';
import { holdsOneOf, landingPageOf, mayOpen, type PageDescriptor, type Role } from '@clinic/contracts';

/** Pages with an entry below the role's own. */
export const account = '/dash/account';
export const profile = '/dash/dProfile';
/** The search of staff, with an entry above the role's own. */
export const search = '/dash/search';

/** One entry of the dashboard's menu. */
export interface MenuLine {
  readonly to: string;
  readonly label: string;
  readonly icon: string;
  /** The heading it stands under, if any. */
  readonly group?: string | undefined;
}

/**
 * The dashboard menu of a role and the rights beside it, from the registered remotes' pages; each page once.
 *
 * @param pages - the pages of all registered remotes
 */
export function menuEntries(
  pages: readonly PageDescriptor[],
  role: Role,
  rights?: readonly string[],
): readonly MenuLine[] {
  return pages
    .flatMap(({ path, menu = [] }) =>
      menu
        .filter((entry) => entry.roles.includes(role) || holdsOneOf(entry.rights, rights))
        .slice(0, 1)
        .map((entry) => ({ ...entry, to: path })),
    )
    .toSorted((a, b) => a.order - b.order)
    .map(({ to, label, icon, group }) => ({ to, label, icon, group }));
}

/** Work of the day first, what is seldom needed last, and what isn't work after it; groups of added domains come between. */
const groupOrder: readonly (string | undefined)[] = [undefined, 'Today', 'Care', 'Pharmacy', 'People'];
const lastGroups: readonly (string | undefined)[] = ['Clinic', 'My own'];

/** Entries below one heading. */
export interface MenuGroup {
  /** `undefined` for entries without one. */
  readonly heading: string | undefined;
  readonly entries: readonly MenuLine[];
}

/** A menu's entries by the kind of work they belong to; a menu of a single kind needs no headings. */
export function menuGroups(entries: readonly MenuLine[]): readonly MenuGroup[] {
  const own = [...new Set(entries.map(({ group }) => group))].filter(
    (group) => !groupOrder.includes(group) && !lastGroups.includes(group),
  );
  const groups = [...groupOrder, ...own, ...lastGroups]
    .map((heading) => ({ heading, entries: entries.filter(({ group }) => group === heading) }))
    .filter((group) => group.entries.length > 0);
  return groups.length === 1 ? [{ heading: undefined, entries }] : groups;
}

/** Whether somebody may open the search, and a remote has it. */
export const maySearch = (
  pages: readonly PageDescriptor[],
  role: Role | undefined,
  rights?: readonly string[],
): boolean =>
  pages.some((page) => page.path === search && (mayOpen(page.access, role) || holdsOneOf(page.rights, rights)));

/** Where a page of the dashboard belongs. */
export interface PlaceInMenu {
  /** The menu's entry: the page's own, or that of the page it is opened from. */
  readonly entry: string;
  /** The page it is opened from; `undefined` for pages with an entry of their own. */
  readonly back: { readonly to: string; readonly label: string } | undefined;
}

/**
 * @param pages - the pages of all registered remotes
 * @returns `undefined` for an address without a page
 */
export function placeInMenu(
  pages: readonly PageDescriptor[],
  role: Role,
  pathname: string,
  rights?: readonly string[],
): PlaceInMenu | undefined {
  const path = matchRoutes(
    pages.map((page) => ({ path: page.path })),
    pathname,
  )?.at(-1)?.route.path;
  const entries = menuEntries(pages, role, rights);
  const pageAt = (at: string): PageDescriptor | undefined => pages.find((page) => page.path === at);
  const isEntry = (at: string): boolean =>
    at === account || at === search || (at === profile && role === 'doctor') || entries.some(({ to }) => to === at);
  const before = (at: string): string => {
    const openedFrom = pageAt(at)?.openedFrom;
    const named = typeof openedFrom === 'string' ? openedFrom : openedFrom?.[role];
    return named !== undefined && mayOpen(pageAt(named)?.access ?? [], role) ? named : landingPageOf(role);
  };
  if (path === undefined) return undefined;
  if (isEntry(path)) return { entry: path, back: undefined };
  const to = before(path);
  const label = entries.find((entry) => entry.to === to)?.label ?? pageAt(to)?.title ?? 'Dashboard';
  // Remotes are deployed by others: pages that are opened from each other must not loop.
  let entry = to;
  for (let steps = 0; !isEntry(entry) && steps < pages.length; steps += 1) entry = before(entry);
  return { entry, back: { to, label } };
}
