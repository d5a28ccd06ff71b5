import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';

export function AccountPage({ accountId }: { accountId: string }) {
  return (
    <Page title={accountId}>
      <Loading />
    </Page>
  );
}
