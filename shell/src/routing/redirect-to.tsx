import { Navigate, useLocation, useParams } from '@clinic/app-kit';

/** Redirects a misspelt or expected address to the page's own. @param to - route path with the parameters of that address */
export function RedirectTo({ to }: { readonly to: string }) {
  const params = useParams();
  const { search, hash } = useLocation();
  const pathname = to.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return <Navigate to={{ pathname, search, hash }} replace />;
}
