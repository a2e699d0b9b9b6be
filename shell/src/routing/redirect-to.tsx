import { Navigate, useLocation, useParams } from '@clinic/app-kit';

/** Leads a misspelt or expected address to the page's own. @param to - route path whose parameters are those of the address */
export function RedirectTo({ to }: { readonly to: string }) {
  const params = useParams();
  const { search, hash } = useLocation();
  const pathname = to.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return <Navigate to={{ pathname, search, hash }} replace />;
}
