import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';

export function RiskPage() {
  return (
    <Page title="Risk feed">
      <Loading />
    </Page>
  );
}
