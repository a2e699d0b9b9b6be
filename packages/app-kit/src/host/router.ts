// Shared libraries are never tree-shaken: only exports listed here reach the browser. Add a name when a screen needs it.
export { Navigate, Outlet, useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom';
export type { RouteObject } from 'react-router-dom';
export { Link, NavLink, type LinkProps, type NavLinkProps } from './link.tsx';
