import { Page } from '../../components/page.tsx';
import { Shown } from '../../components/shown.tsx';
import './quotas.css';
import { RegionCard } from './region-card.tsx';
import { useQuotas } from './use-quotas.ts';

export function QuotasPage() {
  const quotas = useQuotas();
  return (
    <Page
      title="Quotas"
      lead="How many accounts you may have in each region, and how many you have."
    >
      <Shown read={quotas} what="quotas" lines={5}>
        {(regions) => regions.map((each) => <RegionCard key={each.region} quotas={each} />)}
      </Shown>
    </Page>
  );
}
