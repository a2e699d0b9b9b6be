import type { Role } from './roles.ts';
import type { PageDescriptor, PageFact, Redirect } from './schemas/remote-descriptor.ts';

export type { PageDescriptor, PageFact, Redirect };

export type PageLayout = PageDescriptor['layout'];
export type PageAccess = PageDescriptor['access'];

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

/** Whether a role may open a page; `undefined` is a visitor who isn't signed in. */
export function mayOpen(access: PageAccess, role: Role | undefined): boolean {
  if (access === 'everyone') return true;
  if (role === undefined) return false;
  return access === 'signedIn' || access.includes(role);
}

/** Whether somebody holds one of the rights that a page or a menu entry names. */
export const holdsOneOf = (named: readonly string[] = [], held: readonly string[] = []): boolean =>
  named.some((right) => held.includes(right));
