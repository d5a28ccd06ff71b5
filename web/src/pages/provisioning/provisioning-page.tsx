import { Empty } from '../../components/empty.tsx';
import { Page } from '../../components/page.tsx';

export function ProvisioningPage() {
  return (
    <Page title="Provisioning">
      <Empty title="Not here yet">This page is not built yet; the API offers it already.</Empty>
    </Page>
  );
}
