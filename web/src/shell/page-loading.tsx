import { Loading } from '../components/loading.tsx';

/** In the place of a page whose part of the program is being loaded. */
export function PageLoading() {
  return (
    <div className="page">
      <Loading label="Loading the page" lines={6} />
    </div>
  );
}
