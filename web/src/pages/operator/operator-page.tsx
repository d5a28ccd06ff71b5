import { Empty } from '../../components/empty.tsx';
import { Page } from '../../components/page.tsx';

export function OperatorPage() {
  return (
    <Page title="Operator">
      <Empty title="Not here yet">This page is not built yet; the API offers it already.</Empty>
    </Page>
  );
}
