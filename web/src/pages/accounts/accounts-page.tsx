import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';

export function AccountsPage() {
  return (
    <Page title="Accounts">
      <Loading />
    </Page>
  );
}
