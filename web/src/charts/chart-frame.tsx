import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../components/error-boundary.tsx';
import { Loading } from '../components/loading.tsx';

const HEIGHT = 'max(26rem, 46dvh)';

/** As high as the chart that it replaces. */
export const ChartLoading = ({ label = 'Loading the chart' }: { label?: string }) => (
  <Loading label={label} height={HEIGHT} />
);

/** Around a chart, whose code is loaded when first needed. */
export function ChartFrame({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary isPart>
      <Suspense fallback={<ChartLoading />}>{children}</Suspense>
    </ErrorBoundary>
  );
}
