import { Loading } from '../components/loading.tsx';

const HEIGHT = 'max(26rem, 46dvh)';

/** As high as the chart that it replaces. */
export const ChartLoading = ({ label = 'Loading the chart' }: { label?: string }) => (
  <Loading label={label} height={HEIGHT} />
);
