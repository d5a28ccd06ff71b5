import { type Route, routes } from './routes.ts';
import { useMay } from './use-may.ts';

/** The navigation's pages that the token can use. */
export function useShownRoutes(): Route[] {
  const { admin } = useMay();
  return routes.filter(({ nav }) => nav === 'everyone' || (nav === 'admin' && admin));
}
