import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Loading } from '../components/loading.tsx';

const HEIGHT = 'max(26rem, 46dvh)';

/** As high as the chart that it stands in for. */
export const ChartLoading = ({ label = 'Loading the chart' }: { label?: string }) => (
  <Loading label={label} height={HEIGHT} />
);

/** Around a chart, whose part of the program is loaded when it is first needed. */
export function ChartFrame({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary isPart>
      <Suspense fallback={<ChartLoading />}>{children}</Suspense>
    </ErrorBoundary>
  );
}
