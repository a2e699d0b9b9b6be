import type { ComponentProps } from 'react';
import {
  useHref,
  useLinkClickHandler,
  useLocation,
  useResolvedPath,
  type LinkProps as RouterLinkProps,
} from 'react-router-dom';

export interface LinkProps
  extends Omit<ComponentProps<'a'>, 'href'>, Pick<RouterLinkProps, 'to' | 'replace' | 'state' | 'preventScrollReset'> {}

/**
 * A link to a page of the application, as the router's documentation builds one of its hooks. The router's own brings the
 * support of its framework with it, 1.5 kB of each first visit.
 */
export function Link({ to, replace, state, preventScrollReset, target, onClick, children, ...anchor }: LinkProps) {
  const href = useHref(to);
  const follow = useLinkClickHandler(to, {
    state: state as unknown,
    ...(replace !== undefined && { replace }),
    ...(preventScrollReset !== undefined && { preventScrollReset }),
    ...(target !== undefined && { target }),
  });
  return (
    <a
      {...anchor}
      href={href}
      target={target}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) follow(event);
      }}
    >
      {children}
    </a>
  );
}

export interface NavLinkProps extends LinkProps {
  /** Whether only this page itself is current, not those below it. */
  readonly end?: boolean;
}

/** A {@link Link} in a menu, which says whether its page, or one below it, is open. */
export function NavLink({ end = false, ...link }: NavLinkProps) {
  const own = useResolvedPath(link.to).pathname.toLowerCase().replace(/\/$/, '');
  const open = useLocation().pathname.toLowerCase().replace(/\/$/, '');
  const current = open === own || (!end && open.startsWith(`${own}/`));
  return <Link aria-current={current ? 'page' : undefined} {...link} />;
}
