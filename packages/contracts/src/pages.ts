import type { Role } from './roles.ts';

/**
 * The frame the shell puts around a page: `public` has the public top bar, `guarded` adds the login guard, and `dash`
 * is the dashboard with its menu, behind the login guard.
 */
export type PageLayout = 'public' | 'guarded' | 'dash';

/** Who may open a page: everyone, every signed-in user, or the named roles. */
export type PageAccess = 'everyone' | 'signedIn' | readonly Role[];

/** A page that a remote offers. */
export interface PageDescriptor {
  /** Route path as the router writes it, e.g. `/appoinment/:_id`. */
  readonly path: string;
  readonly layout: PageLayout;
  readonly access: PageAccess;
  /** Whoever holds one of these rights may open it, too, whatever their role. */
  readonly rights?: readonly string[] | undefined;
  /** Exists in demos only: elsewhere the gateway leaves it out of the registry. */
  readonly demo?: true | undefined;
  /** For the document title. */
  readonly title: string;
  /**
   * One or two sentences about the page for link previews and search engines, which only list public pages that have
   * them.
   */
  readonly description?: string;
  /**
   * What the page is about, for search engines, which read it in its HTML: descriptions by https://schema.org. The
   * clinic itself is `/#clinic`.
   */
  readonly facts?: readonly PageFact[];
  /** Where to send a role without access, instead of the 'not for you' page. */
  readonly insteadFor?: Readonly<Partial<Record<Role, string>>>;
  /**
   * The page it is opened from, for roles whose menu doesn't have it: the menu marks that page, and a link leads back to it.
   * Without one, the role's first page.
   */
  readonly openedFrom?: string | Readonly<Partial<Record<Role, string>>>;
  /** Entries in the dashboard menu, lowest `order` first. */
  readonly menu?: readonly MenuEntry[];
  /** Entry in the public top bar, for people who may open the page. Its path has no parameters. */
  readonly topBar?: TopBarEntry;
  /**
   * Name of the exposed module with the page's screen, e.g. `./pages/about`; written by the remote's build. Builds from
   * before pages were exposed have none: their screens are routes of `./module`.
   */
  readonly expose?: string | undefined;
}

/** A thing as https://schema.org describes it, in JSON-LD without its context. Addresses may be relative to the site. */
export interface PageFact {
  readonly '@type': string;
  readonly [property: string]: FactValue;
}

type FactValue = string | number | boolean | null | readonly FactValue[] | { readonly [property: string]: FactValue };

/** One entry of the top bar: after Home and Dashboard, before Login. Lowest `order` first. */
export interface TopBarEntry {
  readonly label: string;
  readonly order: number;
}

export interface MenuEntry {
  readonly label: string;
  readonly roles: readonly Role[];
  /** It is also in the menu of whoever holds one of these rights. */
  readonly rights?: readonly string[] | undefined;
  readonly order: number;
  /** Name of the icon in the design system. */
  readonly icon: string;
  /**
   * The kind of work it belongs to, as the heading above it says: Today, Care, Pharmacy, People, Clinic, or a word of
   * the remote's own. Entries without one come first, without a heading.
   */
  readonly group?: string | undefined;
}

/** Addresses that the shell serves itself; `/dash` redirects to the landing page of the role. */
export const shellPages = ['/login', '/register', '/auth/action', '/dash'] as const;

/** Shows the design system; development only. */
export const galleryPage = '/__ui';

/** Titles of the shell's own pages before their scripts run, by path. */
export const shellPageTexts: Readonly<Record<string, Pick<PageDescriptor, 'title' | 'description'>>> = {
  '/login': { title: 'Login', description: 'Log in to see your appointments and orders.' },
  '/register': {
    title: 'Create Your Account',
    description: 'Create an account to book appointments and order medicines online.',
  },
  '/auth/action': { title: 'Your account' },
};

/** A correctly spelled or expected address that redirects to the specified one, of the same remote. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
}

/** Whether a role may open a page; `undefined` is a visitor who isn't signed in. */
export function mayOpen(access: PageAccess, role: Role | undefined): boolean {
  if (access === 'everyone') return true;
  if (role === undefined) return false;
  return access === 'signedIn' || access.includes(role);
}

/** Whether somebody holds one of the rights that a page or a menu entry names. */
export const holdsOneOf = (named: readonly string[] = [], held: readonly string[] = []): boolean =>
  named.some((right) => held.includes(right));
