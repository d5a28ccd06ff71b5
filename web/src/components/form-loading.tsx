import { Loading } from './loading.tsx';

/** In the place of a dialog whose part of the program is being loaded. */
export const FormLoading = () => <Loading label="Loading the form" lines={2} />;
