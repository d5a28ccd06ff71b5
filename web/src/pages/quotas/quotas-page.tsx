import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import './quotas.css';
import { RegionCard } from './region-card.tsx';
import { useQuotas } from './use-quotas.ts';

export function QuotasPage() {
  const { data, error, refetch } = useQuotas();
  return (
    <Page
      title="Quotas"
      lead="How many accounts you may have in each region, and how many you have."
    >
      {error ? <ErrorNote error={error} retry={refetch} /> : null}
      {data ? (
        data.map((quotas) => <RegionCard key={quotas.region} quotas={quotas} />)
      ) : error ? null : (
        <Card>
          <Loading label="Loading quotas" lines={5} />
        </Card>
      )}
    </Page>
  );
}
