import { type Route, routes } from './routes.ts';
import { useMay } from './use-may.ts';

/** The pages of the navigation that the token has a use for. */
export function useShownRoutes(): Route[] {
  const { admin } = useMay();
  return routes.filter(({ nav }) => nav === 'everyone' || (nav === 'admin' && admin));
}
